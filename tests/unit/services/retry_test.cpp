// Waiting time that an answer asks for, and the address of the next page: by the services' documentation.
#include <gmock/gmock.h>

#include "report/services/retry.h"
#include "report/services/service_client.h"

namespace qd::report {
namespace {

using testing::Optional;

constexpr double kNow = 1'700'000'000;

std::optional<double> wait_of(int status, std::map<std::string, std::string> headers, const std::string& body = "") {
  return rate_limit_wait({status, std::move(headers), body}, kNow);
}

TEST(RateLimit, RetryAfterCountsFirst) {
  EXPECT_THAT(wait_of(429, {{"retry-after", "30"}}), Optional(30.0));
  EXPECT_THAT(wait_of(403, {{"retry-after", "7"}, {"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1700000100"}}),
              Optional(7.0));
}

TEST(RateLimit, AnExhaustedLimitIsRefilled) {
  EXPECT_THAT(wait_of(403, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1700000100"}}), Optional(101.0));
  EXPECT_THAT(wait_of(429, {{"ratelimit-remaining", "0"}, {"ratelimit-reset", "1700000010"}}),
              Optional(11.0));  // GitLab's
  EXPECT_THAT(wait_of(403, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1600000000"}}), Optional(1.0));
}

TEST(RateLimit, AMinuteWhereNoTimeIsSaid) {
  EXPECT_THAT(wait_of(403, {{"x-ratelimit-remaining", "4999"}, {"x-ratelimit-reset", "1700000100"}},
                      "You have exceeded a secondary rate limit."),
              Optional(60.0));
  EXPECT_THAT(wait_of(429, {}), Optional(60.0));
  for (const char* odd : {"soon", "-1", "", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"})
    EXPECT_THAT(wait_of(429, {{"retry-after", odd}}), Optional(60.0)) << odd;
}

TEST(RateLimit, OtherAnswersAreNone) {
  EXPECT_EQ(wait_of(403, {{"x-ratelimit-remaining", "4999"}, {"x-ratelimit-reset", "1700000100"}},
                    "Resource not accessible by integration"),
            std::nullopt);
  EXPECT_EQ(wait_of(403, {}), std::nullopt);
  EXPECT_EQ(wait_of(503, {{"retry-after", "5"}}), std::nullopt);
  EXPECT_EQ(wait_of(200, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1700000100"}}), std::nullopt);
}

TEST(NextPage, IsTheOneCalledNext) {
  EXPECT_EQ(next_page(R"(<https://a/b?page=2>; rel="next", <https://a/b?page=9>; rel="last")"), "https://a/b?page=2");
  EXPECT_EQ(next_page(R"(<https://a/b?page=1>; rel="prev", <https://a/b?page=3,4>; rel="next")"),
            "https://a/b?page=3,4");
  for (const char* none :
       {"", R"(<https://a>; rel="prev")", "<https://a", R"(rel="next")", "<>;", R"(<https://a>, rel="last")"})
    EXPECT_EQ(next_page(none), "") << none;
}

TEST(Origin, WhoGetsTheToken) {
  for (const char* fine :
       {"https://api.github.com", "http://127.0.0.1:8000/x", "http://127.1.2.3", "http://localhost", "http://[::1]:9"})
    EXPECT_TRUE(origin_of(fine).is_private()) << fine;
  for (const char* read_by_all :
       {"http://api.github.com", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://1270.example",
        "http://127.0.0.1@example.com"})
    EXPECT_FALSE(origin_of(read_by_all).is_private()) << read_by_all;
  EXPECT_EQ(origin_of("https://api.github.com/a"), origin_of("https://api.github.com:443/b?c"));
  EXPECT_NE(origin_of("https://api.github.com"), origin_of("http://api.github.com"));
  EXPECT_NE(origin_of("https://api.github.com"), origin_of("https://api.github.com:444"));
  EXPECT_TRUE(origin_of("https://u@h").has_user);
}

}  // namespace
}  // namespace qd::report
