#include "base/redact.hpp"

#include <gtest/gtest.h>

namespace {

using hydra::redact;

struct RedactRow {
  const char* in;
  const char* out;
};

class Redact : public testing::TestWithParam<RedactRow> {};

TEST_P(Redact, Table) { EXPECT_EQ(redact(GetParam().in), GetParam().out); }

const RedactRow kRedactRows[] = {
    // Host names where they stand.
    {"request to https://npm.corp.example/x failed", "request to https://[host]/x failed"},
    {"getaddrinfo EAI_AGAIN npm.corp.example", "getaddrinfo EAI_AGAIN [host]"},
    {"getaddrinfo ENOTFOUND build-7:8443", "getaddrinfo ENOTFOUND [host]:8443"},
    {"curl: (6) Could not resolve host: intern", "curl: (6) Could not resolve host: [host]"},
    {"dial tcp: lookup goproxy.corp.example: no such host", "dial tcp: lookup [host]: no such host"},
    {"connect ECONNREFUSED 10.1.2.3:5432", "connect ECONNREFUSED [host]:5432"},
    {"http://10.1.2.3:8080/x", "http://[host]:8080/x"},
    {"http://[fd00::1]:8080/x", "http://[host]:8080/x"},
    {"HTTPSConnectionPool(host='pip.corp.example', port=443)",
     "HTTPSConnectionPool(host='[host]', port=443)"},
    {"git@git.corp.example:team/repo.git", "[hidden]@[host]:team/repo.git"},
    {"mail jane.doe@corp.example now", "mail [hidden]@[host] now"},
    // Passwords and tokens.
    {"https://jane:pa55@npm.corp.example/x", "https://[hidden]@[host]/x"},
    {"https://x-token@github.com/a/b", "https://[hidden]@github.com/a/b"},
    {"//r.example/:_authToken=abcdef0123", "//r.example/:_authToken=[hidden]"},
    {"Authorization: Bearer abcdefghij0123456789", "Authorization: Bearer [hidden]"},
    {"password: hunter2, next", "password: [hidden], next"},
    {"API_KEY=\"k123\"", "API_KEY=\"[hidden]\""},
    {"key ghp_0123456789abcdefghijABCDEFGHIJ!", "key [hidden]!"},
    {"AKIAABCDEFGHIJKLMNOP used", "[hidden] used"},
    // Texts without a secret stay as they are.
    {"https://registry.npmjs.org/left-pad", "https://registry.npmjs.org/left-pad"},
    {"connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:5432"},
    {"http://localhost:3000/ and http://[::1]:3000/", "http://localhost:3000/ and http://[::1]:3000/"},
    {"file:///home/x/a.test.js", "file:///home/x/a.test.js"},
    {"src/a.test.js:3:1 java.lang.String", "src/a.test.js:3:1 java.lang.String"},
    {"left-pad@1.3.0 @scope/pkg", "left-pad@1.3.0 @scope/pkg"},
    {"unexpected token at 3; the lookup table; Basic usage",
     "unexpected token at 3; the lookup table; Basic usage"},
    {"tokenizer: fine", "tokenizer: fine"},
    {"", ""},
};

INSTANTIATE_TEST_SUITE_P(Base, Redact, testing::ValuesIn(kRedactRows));

TEST(RedactBounds, HostileTextEnds) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "a@b://token=Bearer ";
  EXPECT_LE(redact(text).size(), text.size() * 2);
  EXPECT_EQ(redact(std::string(200000, '@')).size(), 200000u);
  EXPECT_FALSE(redact("a@" + std::string(200000, 'b')).empty());
}

}  // namespace
