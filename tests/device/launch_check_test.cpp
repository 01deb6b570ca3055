#include <cstring>
#include <functional>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/launch_check.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::launch_check_test {

using namespace warpbook::device;

namespace {

/// saxpy(float* x, float const* y, float a, int n)
KernelInfo saxpy() {
  KernelInfo k;
  k.mangled = "_Z5saxpyPfPKffi";
  k.name = "saxpy";
  k.parameters = {{"u64", 8, 8, "float*"},
                  {"u64", 8, 8, "float const*"},
                  {"f32", 4, 4, "float"},
                  {"u32", 4, 4, "int"}};
  return k;
}

KernelInfo kernel_of(ParameterInfo parameter) {
  KernelInfo k;
  k.mangled = k.name = "k";
  k.parameters = {std::move(parameter)};
  return k;
}

std::vector<Argument> saxpy_arguments() {
  return {Argument::pointer(0x700000000), Argument::pointer(0), Argument::of(2.0f),
          Argument::of(5)};
}

Argument half_argument() {
  Argument a;
  a.type = ElementType::f16;
  a.bytes.resize(2);
  return a;
}

/// The key and the arguments of the error; empty where the launch is admitted.
std::string refusal(const char* gpu, const KernelInfo& kernel,
                    const std::function<void(Launch&)>& change) {
  Launch launch;
  launch.grid = {4};
  launch.block = {256};
  change(launch);
  const auto checked = check_geometry(*find_gpu(gpu), kernel, launch);
  return checked ? "" : warpbook::tests::keyed(checked.error());
}

}  // namespace

TEST_CASE("Arguments that fit are taken and packed at their alignment") {
  const KernelInfo k = saxpy();
  const auto arguments = saxpy_arguments();
  REQUIRE(check_arguments(k, arguments));
  const auto packed = pack_arguments(k, arguments);
  REQUIRE(packed.size() == 24);
  Pointer x = 0;
  float a = 0;
  std::int32_t n = 0;
  std::memcpy(&x, packed.data(), 8);
  std::memcpy(&a, packed.data() + 16, 4);
  std::memcpy(&n, packed.data() + 20, 4);
  CHECK(x == 0x700000000);
  CHECK(a == 2.0f);
  CHECK(n == 5);
}

TEST_CASE("Packing leaves the gaps that alignment asks for") {
  KernelInfo k;
  k.parameters = {{"u8", 1, 1, "char"},
                  {"f64", 8, 8, "double"},
                  {"u16", 2, 2, "short"},
                  {"b8", 16, 16, "float4"}};
  const std::vector<Argument> arguments{
      Argument::of(std::int8_t{1}), Argument::of(2.0), Argument::of(std::int16_t{3}),
      Argument::structure(std::vector<std::byte>(16, std::byte{4}))};
  REQUIRE(check_arguments(k, arguments));
  const auto packed = pack_arguments(k, arguments);
  REQUIRE(packed.size() == 48);
  CHECK(packed[0] == std::byte{1});
  CHECK(packed[16] == std::byte{3});
  CHECK(packed[32] == std::byte{4});
}

TEST_CASE("Too few and too many arguments are refused with the signature") {
  auto arguments = saxpy_arguments();
  arguments.pop_back();
  const auto few = check_arguments(saxpy(), arguments);
  REQUIRE(!few);
  CHECK(warpbook::tests::keyed(few.error()) ==
        "argument_count(count=4, got=3, kernel=saxpy, signature=float*, float const*, float, "
        "int)");
  arguments = saxpy_arguments();
  arguments.push_back(Argument::of(1));
  const auto many = check_arguments(saxpy(), arguments);
  REQUIRE(!many);
  CHECK(warpbook::tests::keyed(many.error()) ==
        "argument_count(count=4, got=5, kernel=saxpy, signature=float*, float const*, float, "
        "int)");
}

TEST_CASE("A wrongly typed argument is refused with its place, what it is and what to give") {
  struct Case {
    std::size_t index;
    Argument argument;
    const char* said;
  };
  const auto c = GENERATE(Case{0, Argument::of(5),
                               "argument_type(expected=float* (a pointer), got=i32, index=1, "
                               "kernel=saxpy, remedy=a buffer or null)"},
                          Case{0, Argument::of(5.0),
                               "argument_type(expected=float* (a pointer), got=f64, index=1, "
                               "kernel=saxpy, remedy=a buffer or null)"},
                          Case{0, Argument::of(std::int64_t{5}),
                               "argument_type(expected=float* (a pointer), got=i64, index=1, "
                               "kernel=saxpy, remedy=a buffer or null)"},
                          Case{2, Argument::of(2.0),
                               "argument_type(expected=float (the floating-point type f32), "
                               "got=f64, index=3, kernel=saxpy, remedy=f32)"},
                          Case{2, Argument::of(2),
                               "argument_type(expected=float (the floating-point type f32), "
                               "got=i32, index=3, kernel=saxpy, remedy=f32)"},
                          Case{3, Argument::of(5.0f),
                               "argument_type(expected=int (an integer of 32 bits), got=f32, "
                               "index=4, kernel=saxpy, remedy=i32 or u32)"},
                          Case{3, Argument::of(std::int64_t{5}),
                               "argument_type(expected=int (an integer of 32 bits), got=i64, "
                               "index=4, kernel=saxpy, remedy=i32 or u32)"},
                          Case{3, Argument::pointer(0),
                               "argument_type(expected=int (an integer of 32 bits), got=a pointer, "
                               "index=4, kernel=saxpy, remedy=i32 or u32)"},
                          Case{3, Argument::structure(std::vector<std::byte>(12)),
                               "argument_type(expected=int (an integer of 32 bits), got=12 bytes, "
                               "index=4, kernel=saxpy, remedy=i32 or u32)"});
  auto arguments = saxpy_arguments();
  arguments[c.index] = c.argument;
  const auto checked = check_arguments(saxpy(), arguments);
  REQUIRE(!checked);
  CHECK(warpbook::tests::keyed(checked.error()) == c.said);
}

TEST_CASE("What a parameter takes follows from its PTX and, where there is one, its declaration") {
  struct Case {
    ParameterInfo parameter;
    Argument argument;
    bool fits;
  };
  const auto bytes = [](std::size_t n) { return Argument::structure(std::vector<std::byte>(n)); };
  const auto c = GENERATE_COPY(
      // An extern "C" name does not tell a pointer from a number.
      Case{{"u64", 8, 8, ""}, Argument::pointer(0), true},
      Case{{"u64", 8, 8, ""}, Argument::of(std::int64_t{1}), true},
      Case{{"u64", 8, 8, ""}, Argument::of(1.0), false},
      Case{{"u64", 8, 8, "long"}, Argument::pointer(0), false},
      Case{{"u64", 8, 8, "float const&"}, Argument::pointer(0), true},
      Case{{"u64", 8, 8, "float (*)(float)"}, Argument::of(std::uint64_t{9}), true},
      // Signs do not matter, sizes do.
      Case{{"u32", 4, 4, "unsigned int"}, Argument::of(-1), true},
      Case{{"s32", 4, 4, ""}, Argument::of(1u), true},
      Case{{"u16", 2, 2, "short"}, Argument::of(1), false},
      Case{{"u8", 1, 1, "bool"}, Argument::of(std::uint8_t{1}), true},
      // Untyped bits take any scalar of their size.
      Case{{"b32", 4, 4, ""}, Argument::of(1.0f), true},
      Case{{"b32", 4, 4, ""}, Argument::of(1u), true},
      Case{{"b64", 8, 8, ""}, Argument::pointer(0), true},
      Case{{"b16", 2, 2, ""}, half_argument(), true},
      Case{{"b32", 4, 4, ""}, half_argument(), false},
      // NVRTC passes __half as two bytes.
      Case{{"b8", 2, 2, "__half"}, half_argument(), true},
      Case{{"b8", 2, 2, ""}, half_argument(), true},
      Case{{"b8", 2, 2, "__nv_bfloat16"}, half_argument(), false},
      Case{{"b8", 2, 2, "__half"}, Argument::of(std::uint16_t{1}), false},
      Case{{"f16", 2, 2, ""}, half_argument(), true},
      Case{{"f32", 4, 4, ""}, half_argument(), false},
      // Structures take their bytes, no more and no fewer.
      Case{{"b8", 16, 8, "P"}, bytes(16), true}, Case{{"b8", 16, 8, "P"}, bytes(15), false},
      Case{{"b8", 4, 4, "P"}, Argument::of(1), false},
      Case{{"b8", 8, 8, "P"}, Argument::pointer(0), false});
  CAPTURE(c.parameter.type, c.parameter.declared, c.argument.bytes.size(),
          static_cast<int>(c.argument.kind));
  CHECK(check_arguments(kernel_of(c.parameter), std::vector{c.argument}).has_value() == c.fits);
}

TEST_CASE("A number without a type takes the parameter's") {
  struct Case {
    ParameterInfo parameter;
    ElementType type;
  };
  const auto c = GENERATE(
      Case{{"u32", 4, 4, "int"}, ElementType::i32},
      Case{{"u32", 4, 4, "unsigned int"}, ElementType::u32},
      Case{{"u8", 1, 1, "bool"}, ElementType::u8}, Case{{"u16", 2, 2, "short"}, ElementType::i16},
      Case{{"u64", 8, 8, "unsigned long"}, ElementType::u64},
      Case{{"u64", 8, 8, ""}, ElementType::i64}, Case{{"f32", 4, 4, "float"}, ElementType::f32},
      Case{{"f64", 8, 8, "double"}, ElementType::f64},
      Case{{"b8", 2, 2, "__half"}, ElementType::f16},
      Case{{"b8", 2, 2, "__nv_bfloat16"}, ElementType::bf16});
  CAPTURE(c.parameter.type, c.parameter.declared);
  CHECK(natural_type(c.parameter) == c.type);
}

TEST_CASE("A geometry within the limits is admitted, with what fits at once") {
  KernelInfo k = saxpy();
  Launch launch;
  launch.grid = {2147483647, 1, 1};
  launch.block = {1024, 1, 1};
  const auto admitted = check_geometry(*find_gpu("H200"), k, launch);
  REQUIRE(admitted);
  CHECK(admitted->resident_blocks == 2 * 132);
  CHECK(admitted->cluster == Dim3{});
  launch.grid = {1, 65535, 65535};
  launch.block = {1, 1, 64};
  CHECK(check_geometry(*find_gpu("H200"), k, launch).has_value());
}

TEST_CASE(
    "A geometry that CUDA would refuse is refused with CUDA's name, the numbers and the remedy") {
  struct Case {
    const char* gpu;
    std::function<void(Launch&)> change;
    const char* said;
  };
  const auto c = GENERATE(
      Case{"H200", [](Launch& l) { l.grid = {0}; },
           "invalid_configuration(why=phrase.why.empty-grid(grid=0 x 1 x 1))"},
      Case{"H200",
           [](Launch& l) {
             l.block = {32, 0};
           },
           "invalid_configuration(why=phrase.why.empty-block(block=32 x 0 x 1))"},
      Case{"H200", [](Launch& l) { l.block = {1025}; },
           "invalid_configuration(why=phrase.why.block-extent(block=1025 x 1 x 1, gpu=H200, "
           "most=1024 x 1024 x 64))"},
      Case{"H200",
           [](Launch& l) {
             l.block = {33, 32};
           },
           "invalid_configuration(why=phrase.why.block-count(block=33 x 32 x 1, count=1056, "
           "gpu=H200, most=1024))"},
      Case{"T4",
           [](Launch& l) {
             l.block = {1, 1, 65};
           },
           "invalid_configuration(why=phrase.why.block-extent(block=1 x 1 x 65, gpu=T4, most=1024 "
           "x 1024 x 64))"},
      // A product that wraps around 64 bits is no block of none.
      Case{"H200",
           [](Launch& l) {
             l.block = {1u << 31, 1u << 31, 4};
           },
           "invalid_configuration(why=phrase.why.block-extent(block=2147483648 x 2147483648 x 4, "
           "gpu=H200, most=1024 x 1024 x 64))"},
      Case{"H200",
           [](Launch& l) {
             l.grid = {1, 65536};
           },
           "invalid_configuration(why=phrase.why.grid-extent(gpu=H200, grid=1 x 65536 x 1, "
           "most=2147483647 x 65535 x 65535))"},
      Case{"H200", [](Launch& l) { l.dynamic_shared = 232449; },
           "invalid_value(why=phrase.why.shared(bytes=232449, dynamic=232449, fixed=0, gpu=H200, "
           "most=232448))"},
      Case{"T4", [](Launch& l) { l.dynamic_shared = 0xffffffff; },
           "invalid_value(why=phrase.why.shared(bytes=4294967295, dynamic=4294967295, fixed=0, "
           "gpu=T4, most=65536))"},
      Case{"RTX 4090", [](Launch& l) { l.cluster = {2}; },
           "not_supported(device=RTX 4090, what=phrase.what.cluster(blocks=2 x 1 x 1))"},
      Case{"H200",
           [](Launch& l) {
             l.cluster = {16};
             l.grid = {16};
           },
           "invalid_cluster(why=phrase.why.cluster-count(cluster=16 x 1 x 1, count=16, gpu=H200, "
           "most=8))"},
      Case{"H200", [](Launch& l) { l.cluster = {0}; },
           "invalid_cluster(why=phrase.why.empty-cluster(cluster=0 x 1 x 1))"},
      Case{"H200", [](Launch& l) { l.cluster = {3}; },
           "invalid_cluster(why=phrase.why.whole-clusters(cluster=3 x 1 x 1, grid=4 x 1 x 1))"});
  CHECK(refusal(c.gpu, saxpy(), c.change) == c.said);
}

TEST_CASE("Shared memory over 48 KB needs no opting in, up to the most a block may have") {
  KernelInfo k = saxpy();
  k.static_shared = 1024;
  CHECK(refusal("H200", k, [](Launch& l) { l.dynamic_shared = 232448 - 1024; }).empty());
  CHECK(refusal("H200", k, [](Launch& l) { l.dynamic_shared = 232448 - 1023; }) ==
        "invalid_value(why=phrase.why.shared(bytes=232449, dynamic=231425, fixed=1024, gpu=H200, "
        "most=232448))");
}

TEST_CASE("A kernel's own bounds hold") {
  KernelInfo k = saxpy();
  k.max_threads = 128;
  CHECK(refusal("H200", k, [](Launch& l) { l.block = {128}; }).empty());
  CHECK(refusal("H200", k, [](Launch&) {}) ==
        "launch_out_of_resources(why=phrase.why.bounds(count=256, kernel=saxpy, most=128))");
  k = saxpy();
  k.required_block = Dim3{32, 4, 1};
  CHECK(refusal("H200", k, [](Launch& l) { l.block = {32, 4}; }).empty());
  CHECK(refusal("H200", k, [](Launch& l) { l.block = {128}; }) ==
        "invalid_value(why=phrase.why.required-block(block=128 x 1 x 1, kernel=saxpy, required=32 "
        "x 4 x 1))");
  k = saxpy();
  k.required_cluster = Dim3{2, 1, 1};
  CHECK(refusal("H200", k, [](Launch&) {}).empty());
  CHECK(refusal("H200", k, [](Launch& l) { l.cluster = {4}; }) ==
        "invalid_cluster(why=phrase.why.required-cluster(cluster=4 x 1 x 1, kernel=saxpy, "
        "required=2 x 1 x 1))");
}

TEST_CASE("A block whose threads need more registers than there are is refused") {
  KernelInfo k = saxpy();
  k.registers = 64;
  CHECK(refusal("H200", k, [](Launch& l) { l.block = {1024}; }).empty());
  k.registers = 72;
  CHECK(refusal("H200", k, [](Launch& l) { l.block = {1024}; }) ==
        "launch_out_of_resources(why=phrase.why.registers(count=1024, each=72, gpu=H200, "
        "most=65536, registers=73728))");
}

TEST_CASE("A cooperative grid must fit on the GPU at once") {
  KernelInfo k = saxpy();
  k.registers = 64;  // 4 blocks of 256 a multiprocessor
  CHECK(refusal("H200", k, [](Launch& l) { l.cooperative = true, l.grid = {4 * 132}; }).empty());
  CHECK(refusal("H200", k, [](Launch& l) { l.cooperative = true, l.grid = {4 * 132 + 1}; }) ==
        "cooperative_too_large(why=phrase.why.cooperative(blocks=529, each=4, gpu=H200, "
        "limiter=phrase.limiter.registers, most=528, multiprocessors=132, resident=528))");
  CHECK(refusal("H200", k, [](Launch& l) { l.grid = {4 * 132 + 1}; }).empty());
}

}  // namespace warpbook::tests::launch_check_test
