// SPDX-License-Identifier: MIT
// The server of `moraine view` against whoever should not talk to it.
#include "view/http.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/random.hpp"

namespace moraine::view::testing {
namespace {

// A connection to this machine; -1: refused.
int connected(int port, in_addr_t to = htonl(INADDR_LOOPBACK)) {
  const int s = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = to;
  const timeval patience{5, 0};
  ::setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(s, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0) return s;
  ::close(s);
  return -1;
}

std::string ask(int port, const std::string& request) {
  const int s = connected(port);
  if (s < 0) return "refused";
  ::send(s, request.data(), request.size(), MSG_NOSIGNAL);
  std::string answer;
  char part[4096];
  for (ssize_t n = 0; (n = ::recv(s, part, sizeof part, 0)) > 0;) answer.append(part, static_cast<std::size_t>(n));
  ::close(s);
  return answer;
}

// Says what it was asked.
Response echo(const Request& request) {
  if (request.path == "/throws") throw std::runtime_error("something broke");
  return {200, "text/plain; charset=utf-8", request.method + " " + request.path + " " + request.body};
}

struct Asked : ::testing::Test {
  Server server{echo};
  std::string host = fmt::format("127.0.0.1:{}", server.port());
  std::string line(const std::string& path, const std::string& method = "GET") const {
    return fmt::format("{} /{}{} HTTP/1.1\r\n", method, server.token(), path);
  }
  std::string get(const std::string& path, const std::string& fields = "") const {
    return ask(server.port(), line(path) + "Host: " + host + "\r\n" + fields + "\r\n");
  }
};
int status_of(const std::string& answer) { return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0; }
std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

using ViewServer = Asked;

TEST_F(ViewServer, AnswersWhoKnowsTheToken) {
  EXPECT_EQ(server.address(), fmt::format("http://{}/{}/", host, server.token()));
  EXPECT_EQ(server.token().size(), 32U);
  EXPECT_NE(server.token(), Server(echo).token());
  EXPECT_EQ(body_of(get("/")), "GET / ");
  EXPECT_EQ(body_of(get("/api/series/a%20b?x=1")), "GET /api/series/a b ");
  EXPECT_EQ(status_of(ask(server.port(), line("/") + fmt::format("host: localhost:{}\r\n\r\n", server.port()))), 200);
  EXPECT_EQ(body_of(ask(server.port(), line("/x", "POST") + "Host: " + host + "\r\nContent-Length: 5\r\n\r\nhello")),
            "POST /x hello");
  const std::string head = ask(server.port(), line("/", "HEAD") + "Host: " + host + "\r\n\r\n");
  EXPECT_EQ(status_of(head), 200);
  EXPECT_EQ(body_of(head), "");
  EXPECT_EQ(status_of(get("/", "Origin: http://" + host + "\r\nSec-Fetch-Site: same-origin\r\n")), 200);
  EXPECT_EQ(status_of(get("/throws")), 500);
  const std::string whole = get("/");
  for (const char* field : {"Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
                            "Cache-Control: no-store", "Referrer-Policy: no-referrer"})
    EXPECT_NE(whole.find(field), std::string::npos) << field;
  EXPECT_EQ(whole.find("Access-Control"), std::string::npos);
}

TEST_F(ViewServer, RefusesEverybodyElse) {
  const auto refused = [&](const std::string& request) { return status_of(ask(server.port(), request)); };
  const std::string own = "Host: " + host + "\r\n";
  EXPECT_EQ(refused("GET / HTTP/1.1\r\n" + own + "\r\n"), 403);
  EXPECT_EQ(refused("GET /api/run HTTP/1.1\r\n" + own + "\r\n"), 403);
  std::string wrong = server.token();
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& token : {wrong, server.token().substr(1), server.token() + "0", std::string()})
    EXPECT_EQ(refused("GET /" + token + "/ HTTP/1.1\r\n" + own + "\r\n"), 403) << token;
  // By a name that an attacker's DNS could give this machine, from another port, from a page elsewhere.
  for (const char* name : {"evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "", "127.0.0.1.evil.example:80"})
    EXPECT_EQ(refused(line("/") + "Host: " + name + "\r\n\r\n"), 403) << name;
  EXPECT_EQ(refused(line("/") + "\r\n"), 403);
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"})
    EXPECT_EQ(status_of(get("/", std::string("Origin: ") + origin + "\r\n")), 403) << origin;
  for (const char* site : {"cross-site", "same-site"})
    EXPECT_EQ(status_of(get("/", std::string("Sec-Fetch-Site: ") + site + "\r\n")), 403) << site;
  for (const char* method : {"DELETE", "PUT", "OPTIONS", "CONNECT", "get"})
    EXPECT_EQ(refused(line("/", method) + own + "\r\n"), 405) << method;
  EXPECT_EQ(refused(line("/") + own + own + "\r\n"), 400);  // two hosts
}

TEST_F(ViewServer, RefusesWhatIsNoRequest) {
  const std::string own = "Host: " + host + "\r\n";
  for (const std::string& bad :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / SMTP\r\n\r\n"),
        "GET /%zz HTTP/1.1\r\n" + own + "\r\n", "GET /%00 HTTP/1.1\r\n" + own + "\r\n",
        "GET x HTTP/1.1\r\n" + own + "\r\n", line("/") + own + "no colon\r\n\r\n",
        line("/", "POST") + own + "Content-Length: -1\r\n\r\n", line("/", "POST") + own + "Content-Length: 1e3\r\n\r\n",
        line("/", "POST") + own + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    EXPECT_EQ(status_of(ask(server.port(), bad)), 400) << bad;
  EXPECT_EQ(status_of(ask(server.port(), line("/") + own + "X: " + std::string(40000, 'x'))), 413);
  EXPECT_EQ(status_of(get("/", "X: " + std::string(15000, 'x') + "\r\n")), 200);
  EXPECT_EQ(status_of(get("/", "X: " + std::string(17000, 'x') + "\r\n")), 413);
  EXPECT_EQ(status_of(get("/", "X: " + std::string(20000, 'x') + "\r\n")), 413);
  EXPECT_EQ(status_of(ask(server.port(), line("/", "POST") + own + "Content-Length: 9999999\r\n\r\n")), 413);
  EXPECT_EQ(status_of(get("/")), 200);
}

TEST_F(ViewServer, SurvivesTenThousandRequestsOfGarbage) {
  base::Stream random(1, "garbage");
  const std::string good = line("/") + "Host: " + host + "\r\n\r\n";
  for (int i = 0; i < 10000; ++i) {
    std::string text = good;
    const std::uint64_t changes = 1 + random.below(6);
    for (std::uint64_t k = 0; k < changes; ++k) {
      const auto at = static_cast<std::size_t>(random.below(text.size()));
      switch (random.below(4)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + static_cast<std::size_t>(random.below(8)));
          break;
        case 2:
          text.insert(at,
                      std::string(static_cast<std::size_t>(random.below(50)), static_cast<char>(random.below(256))));
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = "\r\n";
    }
    const int s = connected(server.port());
    ASSERT_GE(s, 0) << i;
    ::send(s, text.data(), text.size(), MSG_NOSIGNAL);
    ::close(s);  // does not wait for an answer
  }
  EXPECT_EQ(body_of(get("/still")), "GET /still ");
}

// Those that send slowly, and those that have their answer and do not go: many for each thread of the server.
TEST_F(ViewServer, IsNotHeldUpBySlowOnes) {
  for (const std::string& begun : {std::string("GET /"), line("/") + "Host: " + host + "\r\n\r\n"}) {
    std::vector<int> slow;
    for (int i = 0; i < 300; ++i) {
      slow.push_back(connected(server.port()));
      ::send(slow.back(), begun.data(), begun.size(), MSG_NOSIGNAL);
    }
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(body_of(get("/quick")), "GET /quick ");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(1));
    for (const int s : slow) ::close(s);
  }
}

// More than there is room for: the slow ones give way.
TEST_F(ViewServer, IsNotHeldUpByACrowd) {
  std::vector<int> slow;
  for (int i = 0; i < 500; ++i) {
    slow.push_back(connected(server.port()));
    ASSERT_GE(slow.back(), 0);
    ::send(slow.back(), "GET /", 5, MSG_NOSIGNAL);
  }
  EXPECT_EQ(body_of(get("/late")), "GET /late ");
  for (const int s : slow) ::close(s);
}

TEST_F(ViewServer, MendsAnAddressWithoutItsLastSlash) {
  const std::string answer = get("");
  EXPECT_EQ(status_of(answer), 308);
  EXPECT_NE(answer.find("\r\nLocation: /" + server.token() + "/\r\n"), std::string::npos) << answer;
  EXPECT_EQ(
      status_of(ask(server.port(), "GET /" + server.token().substr(1) + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")),
      403);
}

TEST_F(ViewServer, IsSeenFromThisMachineOnly) {
  ifaddrs* all = nullptr;
  ASSERT_EQ(::getifaddrs(&all), 0);
  for (const ifaddrs* a = all; a != nullptr; a = a->ifa_next) {
    if (a->ifa_addr == nullptr || a->ifa_addr->sa_family != AF_INET) continue;
    const in_addr_t address = reinterpret_cast<const sockaddr_in*>(a->ifa_addr)->sin_addr.s_addr;
    if ((ntohl(address) >> 24) == 127) continue;
    EXPECT_LT(connected(server.port(), address), 0) << a->ifa_name;
  }
  ::freeifaddrs(all);
}

TEST(ViewServer2, SaysThatAPortIsTaken) {
  const Server first(echo);
  EXPECT_THROW(Server(echo, first.port()), std::exception);
}

}  // namespace
}  // namespace moraine::view::testing
