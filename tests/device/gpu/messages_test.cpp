#include "device/gpu/messages.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::messages_test {

using namespace warpbook::device;
using namespace warpbook::device::gpu;

namespace {

LaunchRequest some_launch() {
  return {7, "_Z1kPf", "k", {1, 2, 3}, {4, 5, 6}, {2, 1, 1}, 1024, true, std::string("\0\x01p", 3),
          99};
}

/// Every cut of a message is nothing, and so is one with more behind it.
template <class T>
void check_whole_only(const std::string& bytes) {
  CHECK(from_bytes<T>(bytes).has_value());
  CHECK(!from_bytes<T>(bytes + "x"));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    if (from_bytes<T>(std::string_view(bytes).substr(0, length))) {
      CAPTURE(length);
      FAIL_CHECK("part of a message was taken for one");
    }
  }
}

}  // namespace

TEST_CASE("A launch request survives the way to the worker") {
  const auto back = from_bytes<LaunchRequest>(to_bytes(some_launch()));
  REQUIRE(back);
  CHECK(back->function == "_Z1kPf");
  CHECK(back->block == Dim3{4, 5, 6});
  CHECK(back->cluster == Dim3{2, 1, 1});
  CHECK(back->cooperative);
  CHECK(back->parameters == some_launch().parameters);
  CHECK(to_bytes(*back) == to_bytes(some_launch()));
}

TEST_CASE("A GPU's properties survive the way from the worker") {
  Opened opened;
  opened.properties = *find_gpu("rtx 4090");
  opened.properties.simulated = false;
  opened.driver = "13.0";
  const auto back = from_bytes<Opened>(to_bytes(opened));
  REQUIRE(back);
  CHECK(back->properties.name == opened.properties.name);
  CHECK(back->properties.l2_bytes == opened.properties.l2_bytes);
  CHECK(back->properties.max_grid == opened.properties.max_grid);
  CHECK(!back->properties.simulated);
  CHECK(to_bytes(*back) == to_bytes(opened));
}

TEST_CASE("A failure survives the way from the worker with its place") {
  const Failure failed{{ErrorCode::assertion, {{"text", "x"}}, {"a.cu", 3, 1}}, Harm::context};
  const auto back = from_bytes<Failure>(to_bytes(failed));
  REQUIRE(back);
  CHECK(back->error == failed.error);
  CHECK(back->harm == Harm::context);
}

TEST_CASE("A message is whole or nothing") {
  check_whole_only<LaunchRequest>(to_bytes(some_launch()));
  check_whole_only<Numbers>(to_bytes(Numbers{1, 2, 3}));
  check_whole_only<LoadRequest>(to_bytes(LoadRequest{1, "a", ".version", {"f", "g"}}));
  check_whole_only<LaunchReply>(
      to_bytes(LaunchReply{1, "out", Failure{{ErrorCode::cancelled, {}, {}}, Harm::none}}));
  check_whole_only<ArrayRequest>(to_bytes(ArrayRequest{1, 64, {"a", {}, 4, 4}}));
  check_whole_only<ArrayCopy>(to_bytes(ArrayCopy{1, 2, {}}));
  check_whole_only<TextureRequest>(to_bytes(TextureRequest{"a", {}}));
  check_whole_only<TimeRequest>(to_bytes(TimeRequest{{{{{some_launch()}, {{8, 4}}}}}, {}, true}));
}

TEST_CASE("A count without its values makes nobody allocate") {
  const std::string huge("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  CHECK(!from_bytes<Numbers>(huge));
  CHECK(!from_bytes<TimeRequest>(huge));
  CHECK(!from_bytes<std::vector<FunctionFacts>>(huge));
}

}  // namespace warpbook::tests::messages_test
