// Objects and arrays as the host makes them, what is refused, and kernels that pass handles of nothing.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "tests/device/simulator/texture/texture_bench.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::objects_test {

using namespace warpbook::device;
using namespace warpbook::device::tests;

namespace {

constexpr const char* kFetch = "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}];";
constexpr const char* kLoad = "suld.b.2d.b32.zero %d0, [%rd9, {%r0, %r1}];";

ArrayDescription image(std::uint32_t width = 4, std::uint32_t height = 4) {
  ArrayDescription d{"image", {}, width, height};
  d.surface = true;
  return d;
}
TextureDescription texture_of(Array array) {
  TextureDescription t;
  t.array = array;
  return t;
}
template <class T>
std::string words_of(const Expected<T>& refused) {
  return refused ? "granted" : refused.error().english();
}
/// Why an object can no longer be used, as its key.
std::string what_happened(const Error& error) {
  const Message* what = argument_of(error.arguments, "what");
  return what ? warpbook::tests::keyed(*what) : "";
}

}  // namespace

TEST_CASE("A handle of nothing is an error of the lane that used it, and reads as 0") {
  TextureBench bench;
  const Array array = bench.array(image(), std::vector<float>(16, 3.0f));
  const std::uint64_t good = bench.texture(texture_of(array));
  for (const std::uint64_t bad :
       {std::uint64_t{0}, std::uint64_t{1}, good + 1, good - 1, ~std::uint64_t{0}, array.handle,
        std::uint64_t{0x700000400}, std::uint64_t{1} << 63}) {
    CAPTURE(bad);
    for (const std::string instruction :
         {kFetch, kLoad, "sust.b.2d.b32.zero [%rd9, {%r0, %r1}], %r2;",
          "sured.b.add.1d.u32.zero [%rd9, {%r0}], %r2;", "txq.width.b32 %d0, [%rd9];",
          "suq.width.b32 %d0, [%rd9];",
          "tld4.r.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}];"}) {
      const Error e = bench.failure_of(instruction, {bad});
      CHECK(e.code == ErrorCode::no_such_object);
      CHECK(bench.results[0] == Results{0, 0, 0, 0});
    }
  }
  const Error e = bench.failure_of(kFetch, {good, 99}, std::vector<Row>(4));
  CHECK(e.english().find(
            "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}]; was given 0x63, which is "
            "no texture or surface object of this device, thread 1 of block 0") !=
        std::string::npos);
  CHECK(bench.last->findings_total == 2);
  CHECK(real(bench.results[0][0]) == 3);
  CHECK(real(bench.results[2][0]) == 3);
}

TEST_CASE("Lanes may fetch from different objects at once") {
  TextureBench bench;
  std::vector<std::uint64_t> handles;
  for (int i = 0; i < 7; ++i)
    handles.push_back(bench.texture(
        texture_of(bench.array(image(), std::vector<float>(16, static_cast<float>(i))))));
  const auto record = bench.try_run(kFetch, handles, std::vector<Row>(100));
  REQUIRE(record);
  CHECK(!(*record)->error);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(real(bench.results[i][0]) == static_cast<float>(i % 7));
}

TEST_CASE("Surfaces are no textures, textures no surfaces, and shapes must agree") {
  TextureBench bench;
  const Array array = bench.array(image(), std::vector<float>(16, 1.0f));
  const std::uint64_t texture = bench.texture(texture_of(array)), surface = bench.surface(array);
  CHECK(bench.failure_of(kFetch, {surface}).code == ErrorCode::texture_use);
  CHECK(bench.failure_of(kLoad, {texture}).code == ErrorCode::texture_use);
  CHECK(bench.failure_of("txq.width.b32 %d0, [%rd9];", {surface}).code == ErrorCode::texture_use);
  for (const std::string instruction :
       {"tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];",
        "tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}];",
        "tex.a2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %f1, %f2, %f2}];",
        "tex.cube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}];",
        "tex.2dms.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}];",
        "tex.a2dms.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}];"}) {
    CAPTURE(instruction);
    CHECK(bench.failure_of(instruction, {texture}).code == ErrorCode::texture_use);
  }
  const std::uint64_t integers = bench.texture(texture_of(
      bench.array<std::int32_t>({"numbers", {ElementType::i32, 1}, 2, 2}, {1, 2, 3, 4})));
  CHECK(bench.failure_of("tex.2d.v2.f16x2.f32 {%d0, %d1}, [%rd9, {%f0, %f1}];", {integers}).code ==
        ErrorCode::texture_use);
  CHECK(bench
            .failure_of("tex.2d.v4.s32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}], %f3;",
                        {integers})
            .code == ErrorCode::texture_use);
}

TEST_CASE("What was destroyed or freed is named as such, and never read") {
  TextureBench bench;
  const Array array = bench.array(image(), std::vector<float>(16, 1.0f));
  const std::uint64_t texture = bench.texture(texture_of(array)), surface = bench.surface(array),
                      other = bench.texture(texture_of(array));
  REQUIRE(bench.device->destroy(Texture{texture}));
  REQUIRE(bench.device->destroy(Surface{surface}));
  CHECK(words_of(bench.device->destroy(Texture{texture})).find("cudaErrorInvalidResourceHandle") ==
        0);
  CHECK(words_of(bench.device->destroy(Surface{other})).find("cudaErrorInvalidResourceHandle") ==
        0);
  CHECK(what_happened(bench.failure_of(kFetch, {texture})) == "phrase.after.destroyed");
  CHECK(bench.failure_of(kLoad, {surface}).code == ErrorCode::destroyed_object);
  REQUIRE(bench.device->destroy(array));
  CHECK(!bench.device->destroy(array));
  CHECK(!bench.device->create_texture(texture_of(array)));
  CHECK(!bench.device->create_surface(array));
  CHECK(what_happened(bench.failure_of(kFetch, {other})) ==
        "phrase.after.memory-freed(name=image)");
  TextureDescription linear;
  linear.address = bench.buffer(std::vector<float>(64));
  linear.bytes = 256;
  const std::uint64_t over_buffer = bench.texture(linear);
  REQUIRE(bench.device->release(linear.address));
  CHECK(bench.failure_of("tex.1d.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0}];", {over_buffer})
            .code == ErrorCode::destroyed_object);
}

TEST_CASE("References of the module's scope and separate samplers are refused by name") {
  TextureBench bench;
  auto program = std::make_shared<Program>();
  program->name = "old.ptx";
  program->ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.global .texref old;\n.visible .entry "
      "k()\n{\n.reg .f32 %f<5>;\n"
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [old, {%f4, %f4}];\nret;\n}\n";
  const auto module = bench.device->load(program);
  REQUIRE(module);
  Launch launch;
  launch.module = *module;
  const auto refused = bench.device->launch(launch).wait();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::ptx_texture_reference);
  CHECK(argument_of(refused.error().arguments, "name")->text == "old");
  const Array array = bench.array(image(), std::vector<float>(16));
  CHECK(bench
            .failure_of("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, %rd8, {%f0, %f1}];",
                        {bench.texture(texture_of(array))})
            .code == ErrorCode::ptx_unsupported);
}

TEST_CASE("What ptxas refuses is refused here") {
  TextureBench bench;
  const std::uint64_t handle =
      bench.texture(texture_of(bench.array(image(), std::vector<float>(16))));
  for (const std::string bad :
       {"tex.2d.v4.b32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}];",
        "tex.2d.v2.f32.f32 {%d0, %d1}, [%rd9, {%f0, %f1}];",
        "tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2}];",
        "tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}], %f3;",
        "tex.cube.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}];",
        "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9+4, {%f0, %f1}];",
        "tex.cube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}], {%r3, %r4};",
        "tex.level.2dms.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}], %r3;",
        "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%r0, {%f0, %f1}];",
        "tld4.r.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];",
        "txq.level.array_size.b32 %d0, [%rd9], 1;",
        "suld.b.2d.b32 %d0, [%rd9, {%r0, %r1}];",
        "suld.b.cube.b32.zero %d0, [%rd9, {%r0, %r1, %r2, %r2}];",
        "suld.p.2d.b32.zero %d0, [%rd9, {%r0, %r1}];",
        "sust.p.2d.b16.zero [%rd9, {%r0, %r1}], %h0;",
        "suld.b.1d.v4.b64.trap {%x0, %x1, %x2, %x3}, [%rd9, {%r0}];",
        "sured.b.add.2d.s64.zero [%rd9, {%r0, %r1}], %rd0;",
        "sured.b.and.2d.u32.zero [%rd9, {%r0, %r1}], %r2;",
        "sured.b.add.a2d.u32.zero [%rd9, {%r0, %r1, %r2, %r2}], %r2;",
        "sured.p.add.2d.b64.zero [%rd9, {%r0, %r1}], %rd0;",
        "sured.b.xor.2d.b32.zero [%rd9, {%r0, %r1}], %r2;",
        "suld.b.2d.b64.zero %d0, [%rd9, {%r0, %r1}];"}) {
    CAPTURE(bad);
    CHECK(bench.failure_of(bad, {handle}).code == ErrorCode::ptx_unsupported);
  }
}

TEST_CASE("Arrays outside of CUDA's limits, shapes and formats are refused with CUDA's names") {
  TextureBench bench;
  const auto refused = [&](const ArrayDescription& d) {
    return words_of(bench.device->create_array(d));
  };
  const auto starts = [](const std::string& text, const char* with) {
    return text.rfind(with, 0) == 0;
  };
  CHECK(starts(refused({"a", {ElementType::f64, 1}, 4}), "cudaErrorInvalidChannelDescriptor"));
  CHECK(starts(refused({"a", {ElementType::u8, 3}, 4}), "cudaErrorInvalidChannelDescriptor"));
  CHECK(starts(refused({"a", {ElementType::bf16, 1}, 4}), "cudaErrorInvalidChannelDescriptor"));
  CHECK(starts(refused({"a", {}, 0}), "cudaErrorInvalidValue"));
  CHECK(starts(refused({"a", {}, 131073}), "cudaErrorInvalidValue"));
  CHECK(starts(refused({"a", {}, 4, 65537}), "cudaErrorInvalidValue"));
  CHECK(starts(refused({"a", {}, 4, 4, 16385}), "cudaErrorInvalidValue"));
  CHECK(starts(refused({"a", {}, 4, 0, 4}), "cudaErrorInvalidValue"));
  ArrayDescription cube{"a", {}, 4, 5, 6};
  cube.cubemap = true;
  CHECK(starts(refused(cube), "cudaErrorInvalidValue"));
  cube.height = 4;
  CHECK(refused(cube) == "granted");
  cube.depth = 12;
  CHECK(starts(refused(cube), "cudaErrorInvalidValue"));
  cube.layered = true;
  CHECK(refused(cube) == "granted");
  ArrayDescription pyramid{"a", {}, 8, 3};
  pyramid.levels = 4;
  CHECK(refused(pyramid) == "granted");
  pyramid.levels = 5;
  CHECK(starts(refused(pyramid), "cudaErrorInvalidValue"));
  // The bytes of an array are the device's: one that is too large for it is refused, and what is freed comes back.
  CHECK(starts(refused({"huge", {ElementType::f32, 4}, 16384, 16384, 16384}),
               "cudaErrorMemoryAllocation"));
  for (int i = 0; i < 20; ++i) {
    const auto large =
        bench.device->create_array({"large", {ElementType::f32, 4}, 16384, 16384, 16});
    REQUIRE(large);
    REQUIRE(bench.device->destroy(*large));
  }
}

TEST_CASE("Textures and surfaces that CUDA refuses are refused with its names") {
  TextureBench bench;
  const auto refused = [&](const TextureDescription& d) {
    return words_of(bench.device->create_texture(d));
  };
  const auto starts = [](const std::string& text, const char* with) {
    return text.rfind(with, 0) == 0;
  };
  CHECK(starts(refused({}), "cudaErrorInvalidValue"));
  TextureDescription numbers =
      texture_of(bench.array<std::int8_t>({"numbers", {ElementType::i8, 1}, 4}, {1, 2, 3, 4}));
  numbers.linear_filter = true;
  CHECK(starts(refused(numbers), "cudaErrorInvalidFilterSetting"));
  numbers.normalised_read = true;
  CHECK(refused(numbers) == "granted");
  numbers.srgb = true;
  CHECK(starts(refused(numbers), "cudaErrorInvalidValue"));
  TextureDescription wide =
      texture_of(bench.array<std::int32_t>({"wide", {ElementType::i32, 1}, 4}, {1, 2, 3, 4}));
  wide.linear_filter = wide.normalised_read = true;
  CHECK(starts(refused(wide), "cudaErrorInvalidFilterSetting"));
  TextureDescription buffer;
  buffer.address = bench.buffer(std::vector<float>(1024));
  buffer.bytes = 4096;
  CHECK(refused(buffer) == "granted");
  buffer.bytes = 4100;
  CHECK(starts(refused(buffer), "cudaErrorInvalidValue"));
  buffer.bytes = 0;
  CHECK(starts(refused(buffer), "cudaErrorInvalidValue"));
  buffer.bytes = 16;
  buffer.address += 4;
  CHECK(starts(refused(buffer), "cudaErrorInvalidValue"));
  buffer.address -= 4;
  buffer.width = 8, buffer.height = 4, buffer.pitch_bytes = 48;
  CHECK(starts(refused(buffer), "cudaErrorInvalidValue"));
  buffer.pitch_bytes = 64;
  CHECK(refused(buffer) == "granted");
  buffer.height = 65;
  CHECK(starts(refused(buffer), "cudaErrorInvalidValue"));
  ArrayDescription pyramid{"pyramid", {}, 8, 8};
  pyramid.levels = 2;
  CHECK(starts(refused(texture_of(bench.array(pyramid, std::vector<float>(64)))),
               "cudaErrorInvalidValue"));
  ArrayDescription plain{"plain", {}, 8, 8};
  const Array no_surface = bench.array(plain, std::vector<float>(64));
  CHECK(starts(words_of(bench.device->create_surface(no_surface)), "cudaErrorInvalidValue"));
  CHECK(starts(
      words_of(bench.device->create_surface(bench.array(image(), std::vector<float>(16)), 1)),
      "cudaErrorInvalidValue"));
  CHECK(
      starts(words_of(bench.device->create_surface(Array{77})), "cudaErrorInvalidResourceHandle"));
}

TEST_CASE(
    "Boxes of an array are copied in and out, with gaps between the host's rows, and never "
    "outside") {
  TextureBench bench;
  ArrayDescription d{"box", {ElementType::u16, 1}, 5, 4, 3};
  std::vector<std::uint16_t> want(60);
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = static_cast<std::uint16_t>(i);
  const Array array = bench.array(d, want);
  ArrayRegion region;
  region.x = 1, region.y = 2, region.z = 1;
  region.width = 3, region.height = 2, region.depth = 2;
  region.pitch_bytes = 10;
  std::vector<std::uint16_t> host(5 * 4, 7);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint16_t>(1000 + i);
  REQUIRE(bench.device->copy_in_array(array, std::as_bytes(std::span(host)), region).wait());
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 3; ++x)
        want[(x + 1) + 5 * ((y + 2) + 4 * (z + 1))] = host[x + 5 * (y + 2 * z)];
    }
  }
  CHECK(bench.contents<std::uint16_t>(array, 60) == want);
  std::vector<std::uint16_t> back(20, 9);
  REQUIRE(
      bench.device->copy_out_array(std::as_writable_bytes(std::span(back)), array, region).wait());
  for (std::size_t i = 0; i < 20; ++i) CHECK(back[i] == (i % 5 < 3 ? host[i] : 9));
  region.width = 5;
  CHECK(!bench.device->copy_in_array(array, std::as_bytes(std::span(host)), region).wait());
  region.width = 3;
  CHECK(
      !bench.device->copy_in_array(array, std::as_bytes(std::span(host).first(8)), region).wait());
  region.level = 1;
  CHECK(!bench.device->copy_in_array(array, std::as_bytes(std::span(host)), region).wait());
  region.level = 0;
  region.x = 0xffffffff;
  CHECK(!bench.device->copy_in_array(array, std::as_bytes(std::span(host)), region).wait());
}

TEST_CASE("A texel that nobody wrote is found where something depends on it, and named") {
  TextureBench bench;
  const auto made = bench.device->create_array(image());
  REQUIRE(made);
  const Array array = *made;
  ArrayRegion half;
  half.height = 2;
  const std::vector<float> top(8, 1.0f);
  REQUIRE(bench.device->copy_in_array(array, std::as_bytes(std::span(top)), half).wait());
  const std::uint64_t texture = bench.texture(texture_of(array)), surface = bench.surface(array);
  bench.run(kFetch, texture, {{word(3.5f), word(1.5f)}});
  const Error e = bench.failure_of(kFetch, {texture}, {{word(3.5f), word(2.5f)}});
  CHECK(e.code == ErrorCode::uninitialised_read);
  CHECK_THAT(e.english(), warpbook::tests::Says(
                              "error.uninitialised_read.long",
                              {{"name", "image"}, {"index", 11}, {"thread", 0}, {"block", 0}}));
  CHECK(bench.failure_of(kLoad, {surface}, {{4, 3}}).english().find("image[13]") !=
        std::string::npos);
  CHECK(bench.failure_of("sured.b.add.2d.u32.zero [%rd9, {%r0, %r1}], %r2;", {surface}, {{4, 3}})
            .code == ErrorCode::uninitialised_read);
  // What is read and dropped, and what a weight of 0 leaves out, is no finding; what is stored is written.
  bench.run("tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd9, {%f0, %f1}];", texture,
            {{word(3.5f), word(2.5f)}});
  bench.run("sust.b.2d.b32.zero [%rd9, {%r0, %r1}], %r2;", surface, {{12, 2, word(5.0f)}});
  CHECK(real(bench.run(kFetch, texture, {{word(3.5f), word(2.5f)}})[0][0]) == 5);
}

TEST_CASE("Loads and stores through pointers do not reach arrays") {
  TextureBench bench;
  bench.array(image(), std::vector<float>(16, 1.0f));
  Pointer address = 0;
  const auto record = bench.try_run("mov.b32 %d0, 1;", {0}, {Row{}});
  REQUIRE(record);
  for (const AllocationInfo& a : (*record)->allocations) {
    if (a.name == "image") address = a.address;
  }
  REQUIRE(address != 0);
  CHECK(bench.failure_of("ld.global.b32 %d0, [%rd9];", {address})
            .english()
            .find("in the CUDA array image") != std::string::npos);
  CHECK(bench.failure_of("st.global.b32 [%rd9], %r0;", {address}).code == ErrorCode::array_access);
  CHECK(bench.failure_of("red.global.add.u32 [%rd9], 1;", {address}).code ==
        ErrorCode::array_access);
}

TEST_CASE("Each warp instruction that fetches or reaches a surface is one texture request") {
  TextureBench bench;
  const Array array = bench.array(image(), std::vector<float>(16, 1.0f));
  bench.run(kFetch, bench.texture(texture_of(array)), std::vector<Row>(100));
  CHECK(bench.last->total.texture_requests == 4);
  bench.run(kLoad, bench.surface(array), std::vector<Row>(33));
  CHECK(bench.last->total.texture_requests == 2);
}

}  // namespace warpbook::tests::objects_test
