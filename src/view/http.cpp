// SPDX-License-Identifier: MIT
#include "view/http.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>

#include "base/error.hpp"

namespace moraine::view {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestHead = 16 << 10, kLongestBody = 64 << 10, kMostGuests = 400, kMostWaiting = 256;
constexpr int kWorkers = 16;
// For a request to come in, and for each part of an answer to go; for a request while there is no room for others; for
// what the other side still sends when it has its answer.
constexpr auto kSlowest = std::chrono::milliseconds(10000), kWhileOthersWait = std::chrono::milliseconds(500),
               kLast = std::chrono::milliseconds(500);
constexpr auto kSlice = std::chrono::milliseconds(50);  // of waiting: the program may end meanwhile

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw base::RunError("the system gives no random numbers", "try again");
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

// Takes as long wherever the two differ.
bool same(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}
std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// "%20" -> " "; nothing if it is malformed or holds a zero.
std::optional<std::string> decoded(const std::string& text) {
  const auto digit = [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : std::tolower(c) - 'a' + 10;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || !std::isxdigit(static_cast<unsigned char>(text[i + 1])) ||
        !std::isxdigit(static_cast<unsigned char>(text[i + 2])))
      return std::nullopt;
    out += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

// Waits for a slice of time at most.
bool ready(int connection, short what) {
  pollfd p{connection, what, 0};
  return ::poll(&p, 1, static_cast<int>(kSlice.count())) == 1;
}

// More bytes at the end of `text`; false: there will be none.
bool receive(int connection, std::string& text) {
  std::array<char, 4096> part;
  const ssize_t n = ::recv(connection, part.data(), part.size(), 0);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  text.append(part.data(), static_cast<std::size_t>(n));
  return true;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 308:
      return "Permanent Redirect";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::string head_of(const Response& response) {
  // The page may load what it is made of and talk to this server, and nothing else.
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "{}\r\n",
      response.status, reason(response.status), response.type, response.body.size(),
      response.location.empty() ? "" : "Location: " + response.location + "\r\n");
}

// The lines of a request's head: the first, and the fields by their names in small letters.
struct Head {
  std::string method, target;
  std::map<std::string, std::string> fields;
};
std::optional<Head> parsed(const std::string& text) {
  Head head;
  std::size_t at = text.find("\r\n");
  const std::string first = text.substr(0, at);
  const std::size_t a = first.find(' '), b = first.rfind(' ');
  if (a == std::string::npos || b == a || !first.substr(b + 1).starts_with("HTTP/1.")) return std::nullopt;
  head.method = first.substr(0, a);
  head.target = first.substr(a + 1, b - a - 1);
  while (at + 2 < text.size()) {
    const std::size_t end = std::min(text.find("\r\n", at + 2), text.size());
    const std::string line = text.substr(at + 2, end - at - 2);
    at = end;
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string::npos) return std::nullopt;
    const std::string name = lower(line.substr(0, colon));
    if (head.fields.contains(name)) return std::nullopt;  // two hosts, two lengths: nobody needs that
    head.fields[name] = trimmed(line.substr(colon + 1));
  }
  return head;
}

// How long the body is that the head announces; nothing if that cannot be told.
std::optional<std::size_t> body_length(const std::string& text) {
  const auto head = parsed(text);
  if (!head || head->fields.contains("transfer-encoding")) return std::nullopt;
  const auto it = head->fields.find("content-length");
  if (it == head->fields.end()) return 0;
  const std::string& digits = it->second;
  if (digits.empty() || digits.size() > 7 || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoul(digits);
}

}  // namespace

Server::Server(Handler handler, int port) : handler_(std::move(handler)), token_(random_token()) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* address = reinterpret_cast<sockaddr*>(&at);
  const int yes = 1;
  if (socket_ >= 0) ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (socket_ < 0 || ::bind(socket_, address, size) != 0 || ::listen(socket_, SOMAXCONN) != 0 ||
      ::getsockname(socket_, address, &size) != 0) {
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) ::close(socket_);
    throw base::RunError(fmt::format("port {} of this machine cannot be used: {}", port, why),
                         "leave out --port, or choose another one");
  }
  port_ = ntohs(at.sin_port);
  ::fcntl(socket_, F_SETFL, O_NONBLOCK);
  threads_.emplace_back([this] { attend(); });
  for (int i = 0; i < kWorkers; ++i) threads_.emplace_back([this] { work(); });
}

Server::~Server() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  waiting_.notify_all();
  for (std::thread& t : threads_) t.join();
  for (const Asked& asked : asked_) ::close(asked.connection);
  for (const int connection : answered_) ::close(connection);
  ::close(socket_);
}

std::string Server::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

void Server::send_all(int connection, const std::string& text) const {
  auto until = Clock::now() + kSlowest;
  for (std::size_t sent = 0; sent < text.size() && !stopping_ && Clock::now() < until;) {
    if (!ready(connection, POLLOUT)) continue;
    const ssize_t n = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
    until = Clock::now() + kSlowest;
  }
}

// Takes in whoever wants to be, as far as there is room.
void Server::admit(std::vector<Guest>& guests) const {
  while (guests.size() < kMostGuests) {
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) {
      if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(kSlice);
      return;
    }
    guests.push_back({connection, Clock::now(), "", false});
  }
}

// What has come from a guest; a request once it is whole. False: nothing more will come.
bool Server::read_on(Guest& guest, std::optional<Asked>& asked) {
  if (!receive(guest.connection, guest.text)) return false;
  if (guest.answered) {
    guest.text.clear();
    return true;
  }
  const auto refuse = [&](int status, const char* why) {
    asked = Asked{guest.connection, "", "", {status, "text/plain; charset=utf-8", why}};
    return true;
  };
  const std::size_t end = guest.text.find("\r\n\r\n");
  const bool whole = end != std::string::npos;
  if ((whole ? end + 4 : guest.text.size()) > kLongestHead) return refuse(413, "the request is too long\n");
  if (!whole) return true;
  const std::string head = guest.text.substr(0, end + 2);
  const auto length = body_length(head);
  if (!length) return refuse(400, "this is no request\n");
  if (*length > kLongestBody) return refuse(413, "the request is too long\n");
  if (guest.text.size() >= end + 4 + *length)
    asked = Asked{guest.connection, head, guest.text.substr(end + 4, *length), {}};
  return true;
}

void Server::attend() {
  std::vector<Guest> guests;
  std::vector<pollfd> polls;
  while (!stopping_) {
    bool room = false;
    {
      const std::lock_guard lock(mutex_);
      for (const int connection : answered_) guests.push_back({connection, Clock::now(), "", true});
      answered_.clear();
      room = asked_.size() < kMostWaiting;
    }
    const bool full = guests.size() >= kMostGuests;
    polls.clear();
    polls.push_back({socket_, static_cast<short>(room && !full ? POLLIN : 0), 0});
    for (const Guest& guest : guests) polls.push_back({guest.connection, POLLIN, 0});
    ::poll(polls.data(), polls.size(), static_cast<int>(kSlice.count()));
    const auto now = Clock::now();
    std::size_t left = 0;
    for (std::size_t k = 0; k < guests.size(); ++k) {
      Guest& guest = guests[k];
      std::optional<Asked> asked;
      const bool more = polls[k + 1].revents == 0 || read_on(guest, asked);
      if (asked) {
        const std::lock_guard lock(mutex_);
        asked_.push_back(std::move(*asked));
        waiting_.notify_one();
        continue;
      }
      if (!more || now > guest.since + (guest.answered ? kLast : full ? kWhileOthersWait : kSlowest)) {
        ::close(guest.connection);
        continue;
      }
      if (left != k) guests[left] = std::move(guest);
      ++left;
    }
    guests.erase(guests.begin() + static_cast<std::ptrdiff_t>(left), guests.end());
    if (polls[0].revents != 0) admit(guests);
  }
  for (const Guest& guest : guests) ::close(guest.connection);
}

void Server::work() {
  for (;;) {
    Asked asked;
    {
      std::unique_lock lock(mutex_);
      waiting_.wait_for(lock, std::chrono::milliseconds(100), [&] { return stopping_ || !asked_.empty(); });
      if (stopping_) return;
      if (asked_.empty()) continue;
      asked = std::move(asked_.front());
      asked_.pop_front();
    }
    answer(asked);
    // What the other side still sends is taken, or it would see a broken connection instead of the answer.
    ::shutdown(asked.connection, SHUT_WR);
    const std::lock_guard lock(mutex_);
    answered_.push_back(asked.connection);
  }
}

void Server::answer(const Asked& asked) const {
  bool only_head = false;
  const Response response = asked.refusal.status != 200 ? asked.refusal : respond(asked.head, asked.body, only_head);
  send_all(asked.connection, head_of(response));
  if (!only_head) send_all(asked.connection, response.body);
}

bool Server::is_local(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

Response Server::respond(const std::string& text, const std::string& body, bool& only_head) const {
  Response no;
  const auto refuse = [&](int status, const char* why) {
    no.status = status;
    no.body = std::string(why) + "\n";
    return no;
  };
  const auto head = parsed(text);
  if (!head) return refuse(400, "this is no request");
  only_head = head->method == "HEAD";
  const auto field = [&](const char* name) {
    const auto it = head->fields.find(name);
    return it == head->fields.end() ? std::string() : it->second;
  };
  // By another name for this machine a page of another site could reach it.
  if (!is_local(field("host"))) return refuse(403, "this server answers to 127.0.0.1 only");
  const std::string origin = field("origin"), site = field("sec-fetch-site");
  const bool foreign = !origin.empty() && !(origin.starts_with("http://") && is_local(origin.substr(7)));
  if (foreign || (!site.empty() && site != "same-origin" && site != "none"))
    return refuse(403, "requests from other sites are refused");
  if (head->method != "GET" && head->method != "HEAD" && head->method != "POST")
    return refuse(405, "only GET, HEAD and POST");
  const auto path = decoded(head->target.substr(0, head->target.find('?')));
  if (!path || !path->starts_with("/")) return refuse(400, "this is no address");
  const std::size_t slash = path->find('/', 1);
  if (slash == std::string::npos && same(path->substr(1), token_)) {  // the address without its last character
    no.location = "/" + token_ + "/";
    return refuse(308, "the address ends with a slash");
  }
  if (slash == std::string::npos || !same(path->substr(1, slash - 1), token_))
    return refuse(403, "the address lacks the token: open the one that moraine view printed");
  Request request;
  request.method = head->method == "POST" ? "POST" : "GET";
  request.path = path->substr(slash);
  request.body = body;
  try {
    return handler_(request);
  } catch (const std::exception& error) {
    no.status = 500;
    no.body = std::string(error.what()) + "\n";
    return no;
  }
}

}  // namespace moraine::view
