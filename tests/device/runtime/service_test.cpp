// The service survives whatever a program sends, whose memory may be in ruins.
#include "device/runtime/service.hpp"

#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/runtime/cuda_error.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::tests::service_test {

using namespace device;
using namespace device::runtime;

namespace {

/// A program's side of a service.
class Program {
 public:
  Program() {
    ServiceSettings settings;
    settings.gpu = **known_gpu("h100");
    service_ = Service::make(std::move(settings)).value();
    auto ends = Channel::pair().value();
    service_->serve(std::move(ends.first));
    ours_ = std::move(ends.second);
  }

  /// The bytes of the answer; nothing where the service hung up.
  std::optional<std::string> send(std::string_view bytes) {
    Packet packet;
    if (!ours_.send(0, bytes) || ours_.receive(packet) != Channel::Outcome::message)
      return std::nullopt;
    return packet.bytes;
  }
  template <class R>
  typename R::Reply ask(R request) {
    const auto bytes = send(to_bytes(Request(std::move(request))));
    REQUIRE(bytes);
    return from_bytes<typename R::Reply>(*bytes).value();
  }
  ProgramRecord end() { return service_->end(); }

 private:
  std::unique_ptr<Service> service_;
  Channel ours_;
};

/// Puts numbers into fields that are small, near 0, or as large as can be.
class Scramble {
 public:
  explicit Scramble(unsigned seed) : random_(seed) {}
  template <class T>
  void operator()(const char*, T& value) {
    put(value);
  }

 private:
  void put(std::string& value) { value.assign(random_() % 9, static_cast<char>(random_())); }
  void put(bool& value) { value = random_() % 2 == 0; }
  template <class T>
  void put(T& value) {
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(random_() % enum_names(T{}).size());
    else if constexpr (std::is_arithmetic_v<T>)
      value = number<T>();
    else
      fields(*this, value);
  }
  template <class T>
  void put(std::optional<T>& value) {
    if (random_() % 2 == 0)
      value.reset();
    else
      put(value.emplace());
  }
  template <class T>
  void put(std::vector<T>& value) {
    value.resize(random_() % 3);
    for (T& one : value) put(one);
  }
  template <class T, std::size_t kCount>
  void put(std::array<T, kCount>& value) {
    for (T& one : value) put(one);
  }
  template <class T>
  T number() {
    switch (random_() % 4) {
      case 0: return static_cast<T>(random_() % 3);
      case 1: return std::numeric_limits<T>::max();
      case 2: return static_cast<T>(std::uint64_t{1} << random_() % 63);
      default: return static_cast<T>(random_());
    }
  }

  std::mt19937_64 random_;
};

template <class... R>
std::tuple<R...> requests_of(std::variant<R...>*);
using Requests = decltype(requests_of(static_cast<Request*>(nullptr)));

}  // namespace

TEST_CASE("A service that gets no message of ours hangs up") {
  const auto bytes = GENERATE(as<std::string>{}, "", "x", std::string(1000, '\xff'));
  Program program;
  CHECK_FALSE(program.send(bytes));
  CHECK_FALSE(program.end().connected);
}

TEST_CASE("Rows that lie outside of their memory are refused, however large the numbers are") {
  Program program;
  const runtime::MemoryPlace place = program.ask(Allocate{MemoryKind::device, 1000, 0, 0});
  REQUIRE(place.error == kSuccess);
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 63, kHalf = std::uint64_t{1} << 32;
  const auto shape =
      GENERATE(Shape{1001, 1, 1, 0, 0, 0, 0}, Shape{10, 3, 1, kHuge, 0, kHuge, 0},
               Shape{10, kHuge, 1, 2, 0, 2, 0}, Shape{10, 1, 3, 10, kHuge, 10, kHuge},
               Shape{kHalf, kHalf, 1, kHalf, 0, kHalf, 0}, Shape{10, kHalf, 1, 0, 0, 0, 0},
               Shape{~std::uint64_t{0}, 1, 1, 0, 0, 0, 0}, Shape{10, 2, kHalf, 10, 0, 10, 0});
  CHECK(program.ask(Fill{place.address, 0, 1, shape, {}}).error == kInvalidValue);
  CHECK(program.ask(CopyOut{place.address, shape, {}}).answer.error == kInvalidValue);
  CHECK(program.ask(Copy{place.address, place.address, shape, {}}).error == kInvalidValue);
  CHECK(program.ask(CopyIn{place.address, shape, {}, "bytes"}).error == kInvalidValue);
}

TEST_CASE("What a request names and nobody made is refused") {
  Program program;
  CHECK(program.ask(LaunchKernel{}).error == kInvalidDeviceFunction);
  CHECK(program.ask(AskOccupancy{7}).error == kInvalidDeviceFunction);
  CHECK(program.ask(FindVariable{7, "x"}).error == kInvalidSymbol);
  CHECK(program.ask(Release{0x1234}).error == kInvalidValue);
  CHECK(program.ask(Allocate{MemoryKind::device, 4, 0, 99}).error == kInvalidValue);
  CHECK(program.ask(Load{{"no fat binary"}}).error == kInvalidPtx);
  CHECK(program.end().refused.size() == 1);
}

TEMPLATE_LIST_TEST_CASE("A service survives requests of any numbers", "", Requests) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    Program program;
    const runtime::MemoryPlace place = program.ask(Allocate{MemoryKind::managed, 64, 0, 0});
    CHECK(place.error == kSuccess);
    TestType request;
    fields(Scramble(seed), request);
    // An event that is never reached is waited for until the program ends.
    if constexpr (std::is_same_v<TestType, AskEvent>) request.wait = false;
    const auto answered = program.send(to_bytes(Request(std::move(request))));
    if (answered) CHECK(from_bytes<typename TestType::Reply>(*answered));
    (void)program.end();
  }
}

}  // namespace warpbook::tests::service_test
