// SPDX-License-Identifier: MIT
// A small web server for one user on this machine. It binds the loopback address only, on a port that the system
// chooses; answers only who knows the token in the address, came by that address and not from a page of another site;
// and takes no request that is long, slow or malformed. One thread takes requests in, of all connections at once, so
// that who sends slowly holds up nobody; others answer them. Knows nothing of what it serves.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
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
  std::string location{};  // where what is asked for is to be found
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
  // A connection whose request is not whole yet, or that has its answer and may still send.
  struct Guest {
    int connection;
    std::chrono::steady_clock::time_point since;
    std::string text;
    bool answered;
  };
  // A request that is whole, or what is to be said instead of an answer.
  struct Asked {
    int connection;
    std::string head, body;
    Response refusal;  // status 200: there is none
  };
  void attend();
  void admit(std::vector<Guest>& guests) const;
  static bool read_on(Guest& guest, std::optional<Asked>& asked);
  void work();
  void answer(const Asked& asked) const;
  void send_all(int connection, const std::string& text) const;
  Response respond(const std::string& text, const std::string& body, bool& only_head) const;
  bool is_local(const std::string& host) const;

  Handler handler_;
  std::string token_;
  int socket_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable waiting_;  // for a request
  std::deque<Asked> asked_;
  std::vector<int> answered_;
  std::vector<std::thread> threads_;
};

}  // namespace moraine::view
