#include "device/runtime/messages.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "device/wire/bytes.hpp"

namespace warpbook::tests::messages_test {

using namespace device;
using namespace device::runtime;

namespace {

/// Puts another value into each field than the one that it begins with, each another one.
class Fill {
 public:
  template <class T>
  void operator()(const char*, T& value) {
    put(value);
  }

 private:
  void put(std::string& value) { value = "text " + std::to_string(++last_); }
  void put(bool& value) { value = !value; }
  template <class T>
  void put(T& value) {
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(1);
    else if constexpr (std::is_arithmetic_v<T>)
      value = static_cast<T>(++last_);
    else
      fields(*this, value);
  }
  template <class T>
  void put(std::optional<T>& value) {
    put(value.emplace());
  }
  template <class T>
  void put(std::vector<T>& value) {
    value.resize(2);
    for (T& one : value) put(one);
  }
  template <class T, std::size_t kCount>
  void put(std::array<T, kCount>& value) {
    for (T& one : value) put(one);
  }

  int last_ = 0;
};

/// All requests and all replies.
template <class... R>
std::tuple<R...> requests_of(std::variant<R...>*);
template <class... R>
std::tuple<typename R::Reply..., CallHostFunction> replies_of(std::variant<R...>*);
using Requests = decltype(requests_of(static_cast<Request*>(nullptr)));
using Replies = decltype(replies_of(static_cast<Request*>(nullptr)));

}  // namespace

TEMPLATE_LIST_TEST_CASE("A request arrives as it was sent", "", Requests) {
  TestType sent;
  fields(Fill(), sent);
  const std::string bytes = to_bytes(Request(sent));
  const auto arrived = from_bytes<Request>(bytes);
  REQUIRE(arrived);
  REQUIRE(std::holds_alternative<TestType>(*arrived));
  CHECK(to_bytes(*arrived) == bytes);
  CHECK(bytes != to_bytes(Request(TestType{})));
}

TEMPLATE_LIST_TEST_CASE("A reply arrives as it was sent", "", Replies) {
  TestType sent;
  fields(Fill(), sent);
  const std::string bytes = to_bytes(sent);
  const auto arrived = from_bytes<TestType>(bytes);
  REQUIRE(arrived);
  CHECK(to_bytes(*arrived) == bytes);
}

TEMPLATE_LIST_TEST_CASE("A request that is cut off anywhere is none", "", Requests) {
  TestType sent;
  fields(Fill(), sent);
  const std::string bytes = to_bytes(Request(sent));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(from_bytes<Request>(bytes.substr(0, size)));
  CHECK_FALSE(from_bytes<Request>(bytes + '\0'));
}

}  // namespace warpbook::tests::messages_test
