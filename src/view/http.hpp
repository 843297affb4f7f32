// SPDX-License-Identifier: MIT
// A small web server for one user on this machine. It binds the loopback address only, on a port that the system
// chooses; answers only who knows the token in the address, came by that address and not from a page of another site;
// and takes no request that is long, slow or malformed. Knows nothing of what it serves.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace moraine::view {

struct Request {
  std::string method;  // GET or POST
  std::string path;    // after the token, decoded: "/api/run"
  std::string body;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

class Server {
 public:
  using Handler = std::function<Response(const Request&)>;

  // Listens when it has been made. `port` 0: the system chooses. The handler is called by several threads at once.
  // Throws base::RunError if the port is taken.
  explicit Server(Handler handler, int port = 0);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  int port() const { return port_; }
  std::string address() const;  // "http://127.0.0.1:PORT/TOKEN/"
  const std::string& token() const { return token_; }

 private:
  void accept_all();
  void work();
  void answer(int connection) const;
  void send_all(int connection, const std::string& text) const;
  Response respond(const std::string& head, const std::string& body, bool& only_head) const;
  bool is_local(const std::string& host) const;

  Handler handler_;
  std::string token_;
  int socket_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable waiting_, room_;  // for a connection; for room among those that wait
  std::deque<int> connections_;
  std::atomic<std::size_t> queued_{0};  // how many those are
  std::vector<std::thread> threads_;
};

}  // namespace moraine::view
