// The client against a small server of plain sockets that answers as badly as real ones do.
#include "client/client.hpp"

#include "base/files.hpp"
#include "client/daemon.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace hydra::client {
namespace {

namespace fs = std::filesystem;

std::string read_head(int fd) {
  std::string head;
  for (char c = 0; !head.ends_with("\r\n\r\n") && ::read(fd, &c, 1) == 1;) head += c;
  return head;
}

class Server {
 public:
  // Serves one connection after another with these handlers, each given the socket and the request's header.
  explicit Server(std::vector<std::function<void(int, const std::string&)>> handlers) {
    std::string pattern = (fs::temp_directory_path() / "hydra-srv-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
    path = dir_ / "s";
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    thread_ = std::thread([this, handlers = std::move(handlers)] {
      for (const auto& handler : handlers) {
        const UniqueFd fd(::accept(listener_, nullptr, nullptr));
        if (!fd) return;
        handler(fd.get(), read_head(fd.get()));
      }
    });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);  // nobody comes any more
    thread_.join();
    ::close(listener_);
    fs::remove_all(dir_);
  }
  fs::path path;

 private:
  fs::path dir_;
  int listener_ = -1;
  std::thread thread_;
};

void put(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

TEST(Client, nobody_there_is_an_environment_error) {
  const auto client = Client::connect_socket("/nonexistent/socket");
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().code, Errc::environment);
}

TEST(Client, reads_an_answer_that_comes_byte_by_byte) {
  Server server({[](int fd, const std::string&) {
    for (const char c :
         std::string_view("HTTP/1.1 201 Created\r\nX-Hydra-Next-Offset: 7\r\nContent-Length: 5\r\n\r\nhello"))
      put(fd, {&c, 1});
  }});
  auto client = Client::connect_socket(server.path);
  const auto response = client->request("GET", "/v1/health");
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, "hello");
  EXPECT_EQ(response->headers.at("x-hydra-next-offset"), "7");
}

TEST(Client, AQuestionGoesOverTheConnectionOfThePing) {
  std::string first, second;
  Server server({[&](int fd, const std::string& head) {
    first = head;
    put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    second = read_head(fd);
    put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  }});
  auto client = Client::connect_socket(server.path);
  ASSERT_TRUE(client->ping().ok());
  EXPECT_EQ(client->call("GET", "/v1/races").value_or("none"), "hello");
  EXPECT_THAT(first, testing::Not(testing::HasSubstr("Connection: close")));
  EXPECT_THAT(second, testing::HasSubstr("Connection: close"));
}

TEST(Client, AConnectionThatWasClosedAfterThePingIsMadeAnew) {
  const auto answer = [](const std::string& more) {
    return [more](int fd, const std::string&) {
      put(fd, "HTTP/1.1 200 OK\r\n" + more + "Content-Length: 2\r\n\r\n{}");
    };
  };
  Server server({answer("Connection: close\r\n"), answer("")});
  auto client = Client::connect_socket(server.path);
  ASSERT_TRUE(client->ping().ok());
  EXPECT_EQ(client->call("GET", "/v1/races").value_or("none"), "{}");
}

TEST(Client, sends_the_body_and_reads_chunks) {
  std::string body(3000000, 'b');
  std::string seen;
  Server server({[&](int fd, const std::string& head) {
    std::string got(body.size(), '\0');
    EXPECT_EQ(::recv(fd, got.data(), got.size(), MSG_WAITALL), static_cast<ssize_t>(body.size()));
    seen = head;
    put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 100; ++i) put(fd, "2710\r\n" + std::string(10000, 'x') + "\r\n");
    put(fd, "0\r\n\r\n");
  }});
  auto client = Client::connect_socket(server.path);
  const auto answer = client->call("POST", "/v1/races", body);
  ASSERT_TRUE(answer.ok()) << describe(answer.error());
  EXPECT_EQ(*answer, std::string(1000000, 'x'));
  EXPECT_THAT(seen, testing::StartsWith("POST /v1/races HTTP/1.1\r\n"));
  EXPECT_THAT(seen, testing::HasSubstr("Content-Length: 3000000\r\n"));
}

TEST(Client, an_answer_without_end_is_an_error) {
  Server server(
      {[](int fd, const std::string&) { put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"); },
       [](int fd, const std::string&) {
         put(fd, "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n");
         for (int i = 0; i < 200; ++i) put(fd, "2710\r\n" + std::string(10000, 'x') + "\r\n");
       }});
  auto client = Client::connect_socket(server.path);
  const auto answer = client->request("GET", "/");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "the daemon's answer is too long");
  const auto stream = client->stream_events("/", {}, [](const StreamEvent&) { return true; });
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().message, "the daemon's answer is too long");
}

TEST(Client, an_answer_cut_short_is_an_error) {
  Server server(
      {[](int fd, const std::string&) { put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhal"); },
       [](int, const std::string&) {},
       [](int fd, const std::string&) { put(fd, "this is no HTTP\r\n\r\n"); }});
  auto client = Client::connect_socket(server.path);
  for (int i = 0; i < 3; ++i) {
    const auto response = client->request("GET", "/");
    ASSERT_FALSE(response.ok());
    EXPECT_EQ(response.error().code, Errc::protocol);
  }
}

// The daemon was killed between the connection and its answer: what reads is asked of the next one.
TEST(Client, AGetIsRepeatedWhereTheDaemonEndsAndNothingElseIs) {
  int asked = 0;
  const auto ends = [&](int, const std::string&) { ++asked; };
  const auto answers = [&](int fd, const std::string&) {
    put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  };
  {
    Server first({ends}), second({ends, answers, ends});
    auto client = Client::connect_socket(first.path);
    client->set_timeout(std::chrono::seconds(10));
    client->set_reconnect([&] { return Client::connect_socket(second.path); });
    EXPECT_EQ(client->call("GET", "/v1/races").value_or("none"), "hello");
    const auto told = client->call("POST", "/v1/merge", "{}");
    ASSERT_FALSE(told.ok());
    EXPECT_EQ(told.error().code, Errc::protocol);
  }
  EXPECT_EQ(asked, 3);
}

TEST(Client, an_api_error_keeps_its_words) {
  Server server(
      {[](int fd, const std::string&) {
         const std::string body = R"({"error":{"code":"refused","message":"m","where":"w","hint":"h"}})";
         put(fd,
             "HTTP/1.1 409 Conflict\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
       },
       [](int fd, const std::string&) { put(fd, "HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nno"); }});
  auto client = Client::connect_socket(server.path);
  auto answer = client->call("POST", "/v1/merge", "{}");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Errc::refused);
  EXPECT_EQ(describe(answer.error()), describe({Errc::refused, "m", "w", "h"}));
  answer = client->call("GET", "/");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Errc::protocol);
}

TEST(Client, a_silent_server_ends_in_a_timeout) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Server server({[&](int, const std::string&) {
    char c;
    (void)!::read(ends[0], &c, 1);
  }});
  auto client = Client::connect_socket(server.path);
  client->set_timeout(std::chrono::milliseconds(50));
  const auto response = client->request("GET", "/");
  (void)!::write(ends[1], "x", 1);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, Errc::timeout);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Client, a_target_can_not_smuggle_headers) {
  Server server({[](int, const std::string&) {}});
  auto client = Client::connect_socket(server.path);
  EXPECT_EQ(client->request("GET", "/a\r\nX: y").error().code, Errc::internal);
  EXPECT_EQ(url_encode("a b/c?\n"), "a%20b%2Fc%3F%0A");
}

TEST(Stream, events_come_in_order_and_the_last_id_is_sent) {
  std::string head_seen;
  Server server({[&](int fd, const std::string& head) {
    head_seen = head;
    put(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const char c : std::string_view("id: 5\nevent: note\ndata: {}\n\nevent: end\ndata: {}\n\n"))
      put(fd, std::string("1\r\n") + c + "\r\n");
    put(fd, "0\r\n\r\n");
  }});
  auto client = Client::connect_socket(server.path);
  std::vector<std::string> got;
  const auto end = client->stream_events("/v1/races/r/events", {.last_event_id = "4", .on_tick = {}},
                                         [&](const StreamEvent& e) {
                                           got.push_back(e.id + ":" + e.event);
                                           return true;
                                         });
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(*end, StreamEnd::closed);
  EXPECT_THAT(got, testing::ElementsAre("5:note", ":end"));
  EXPECT_THAT(head_seen, testing::HasSubstr("Last-Event-ID: 4\r\n"));
}

TEST(Stream, a_cut_stream_is_closed_and_a_refusal_is_an_error) {
  Server server({[](int fd, const std::string&) {
                   put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nid: 5\ndat");
                 },
                 [](int fd, const std::string&) {
                   const std::string body = R"({"error":{"code":"not_found","message":"no race"}})";
                   put(fd, "HTTP/1.1 404 No\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                               body);
                 }});
  auto client = Client::connect_socket(server.path);
  const auto ignore = [](const StreamEvent&) { return true; };
  const auto cut = client->stream_events("/e", {}, ignore);
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(*cut, StreamEnd::closed);
  const auto refused = client->stream_events("/e", {}, ignore);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::not_found);
}

TEST(Stream, the_cancel_descriptor_ends_it) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Server server({[](int fd, const std::string&) {
    put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\nid:1\ndata:x\n\n\r\n");
    char c;
    (void)!::read(fd, &c, 1);  // until the client goes
  }});
  auto client = Client::connect_socket(server.path);
  const auto end = client->stream_events("/e", {.last_event_id = {}, .cancel_fd = ends[0], .on_tick = {}},
                                         [&](const StreamEvent&) { return ::write(ends[1], "x", 1) == 1; });
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(*end, StreamEnd::cancelled);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Sse, any_chunking_gives_the_same_frames) {
  const std::string text =
      "\xEF\xBB\xBF: comment\r\nid: 1\r\nevent: a\r\ndata: one\r\ndata: two\r\n\r\n"
      "data:no blank\rid:2\r\rretry: 5\n\nevent: dropped\n\nid: 3\ndata\n\n";
  const auto frames = [&](std::size_t piece) {
    SseParser parser;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size(); i += piece)
      EXPECT_TRUE(parser.feed(std::string_view(text).substr(i, piece), [&](const StreamEvent& e) {
        out.push_back(e.id + "|" + e.event + "|" + e.data);
      }));
    return out;
  };
  for (std::size_t piece = 1; piece <= text.size(); ++piece)
    EXPECT_THAT(frames(piece), testing::ElementsAre("1|a|one\ntwo", "2|message|no blank", "3|message|"))
        << piece;
}

TEST(Sse, a_line_without_end_is_given_up) {
  SseParser parser(100);
  const auto ignore = [](const StreamEvent&) {};
  EXPECT_TRUE(parser.feed(std::string(100, 'x'), ignore));
  EXPECT_FALSE(parser.feed("x", ignore));
}

TEST(Daemon, gets_no_keys) {
  std::vector<std::string> entries{"HOME=/h", "OPENAI_API_KEY=sk", "XDG_STATE_HOME=/s", "PATH=/bin",
                                   "XDGX=1"};
  std::vector<char*> pointers;
  for (auto& entry : entries) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  EXPECT_THAT(daemon_environment(pointers.data()),
              testing::ElementsAre("HOME=/h", "XDG_STATE_HOME=/s", "PATH=/bin"));
}

// A busy machine: it is waited for as long as it lives, whatever the deadline says, and what it does is told.
TEST(Daemon, one_that_is_slow_is_waited_for) {
  std::string pattern = (fs::temp_directory_path() / "hydra-dmn-XXXXXX").string();
  const fs::path dir = ::mkdtemp(pattern.data());
  const Paths paths{dir / "state", dir / "run", dir / "config"};
  ASSERT_TRUE(make_dirs(paths.log().parent_path(), 0700).ok());
  ASSERT_TRUE(write_file(paths.log(), "first\nreplaying the events of 40 races\n").ok());
  ASSERT_TRUE(
      write_file(dir / "slow",
                 "#!/bin/sh\nwhile [ ! -e " + (dir / "go").string() + " ]; do sleep 0.01; done\nexit 7\n",
                 0755)
          .ok());
  std::vector<std::string> told;
  DaemonOptions options{.program = dir / "slow", .deadline = std::chrono::milliseconds(1)};
  options.tell_every = std::chrono::milliseconds(20);
  options.tell = [&](const std::string& sentence) {
    told.push_back(sentence);
    if (told.size() == 2) (void)write_file(dir / "go", "");
  };
  const auto failed = ensure_daemon(paths, options);
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message, testing::HasSubstr("exit code 7")) << "it ended by itself";
  ASSERT_GE(told.size(), 2u);
  EXPECT_THAT(told.front(), testing::HasSubstr("replaying the events of 40 races"));
  fs::remove_all(dir);
}

TEST(Daemon, one_that_fails_is_reported_with_its_log) {
  std::string pattern = (fs::temp_directory_path() / "hydra-dmn-XXXXXX").string();
  const fs::path dir = ::mkdtemp(pattern.data());
  const Paths paths{dir / "state", dir / "run", dir / "config"};
  const auto failed = ensure_daemon(paths, {.program = "/bin/false"});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Errc::environment);
  EXPECT_THAT(failed.error().message, testing::HasSubstr("exit code 1"));
  fs::remove_all(dir);
}

}  // namespace
}  // namespace hydra::client
