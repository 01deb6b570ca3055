// `warpbook launch --arg tex..` and `surf..`: foreign kernels get texture and surface objects from files.
#include <cstring>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::launch_texture_test {
namespace {

// Each thread fetches at (x / 2, 0.25) and stores the red channel into row 0 of a surface of floats.
constexpr const char* kSample = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry sample(.param .u64 image, .param .u64 canvas)
{
  .reg .b32 %r<8>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [image];
  ld.param.u64 %rd2, [canvas];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f1, %r1;
  mul.f32 %f1, %f1, 0f3F000000;
  mov.f32 %f2, 0f3E800000;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, 0;
  mov.b32 %r4, %f3;
  sust.b.2d.b32.trap [%rd2, {%r2, %r3}], {%r4};
  ret;
}
)";

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
std::vector<float> floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

Outcome run(const std::string& file, const std::string& image, const std::string& canvas) {
  return warpbook({"launch", file, "--block", "8", "--arg", image, "--arg", canvas});
}

}  // namespace

TEST_CASE("launch makes a texture from a file and writes a surface back") {
  const TemporaryFolder folder;
  const std::string file = folder.write("sample.ptx", kSample);
  const std::string image = folder.write("image.bin", raw<float>({1, 3, 5, 7, 0, 0, 0, 0}));
  const std::string out = (folder.path() / "out.bin").string();
  const std::string canvas = "surf2d:f32:8x1=" + out;
  CHECK(run(file, "tex2d:f32:4x2:" + image, canvas).code == 0);
  CHECK(floats(read_whole(out)) == std::vector<float>{1, 1, 3, 3, 5, 5, 7, 7});
  CHECK(
      run(file, "tex2d:f32:4x2:" + image + ",filter=linear,address=border,border=1", canvas).code ==
      0);
  // At y = 0.25 a quarter is border; at x = 0 half of the rest.
  CHECK(floats(read_whole(out)) == std::vector<float>{1, 1, 1.75f, 2.5f, 3.25f, 4, 4.75f, 5.5f});
  CHECK(run(file, "tex2d:f32:4x2:" + image + ",normalized,address=wrap", canvas).code == 0);
  CHECK(floats(read_whole(out)) == std::vector<float>{1, 5, 1, 5, 1, 5, 1, 5});
  const std::string bytes = folder.write("bytes.bin", std::string("\xff\0\x33\0", 4));
  CHECK(run(file, "tex2d:u8x2:2x1:" + bytes + ",read=normalized", canvas).code == 0);
  CHECK(floats(read_whole(out)) == std::vector<float>{1, 1, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f});
}

TEST_CASE("launch refuses a texture that cannot be, and says how one is written") {
  struct Case {
    std::string image, why;
  };
  const TemporaryFolder folder;
  const std::string file = folder.write("sample.ptx", kSample);
  const std::string image = folder.write("image.bin", raw<float>({1, 2, 3, 4}));
  const Case c =
      GENERATE(Case{"tex4d:f32:2x2:IMAGE", "write tex1d, tex2d"},
               Case{"tex2d:f99:2x2:IMAGE", "is no format; write a type and its channels"},
               Case{"tex2d:f32:2:IMAGE", "is no extent of 2 whole numbers for 2d"},
               Case{"tex2d:f32:2x2", "write tex1d, tex2d"},
               Case{"tex2d:f32:2x2:IMAGE,filter=cubic",
                    "\"filter=cubic\" is no option; there are filter=linear"},
               Case{"tex2d:f32:2x3:IMAGE", "it has 16 bytes and the texels of the argument 24"},
               Case{"tex2d:f64:2x1:IMAGE", "cudaErrorInvalidChannelDescriptor"},
               Case{"tex2d:i32:2x2:IMAGE,filter=linear", "cudaErrorInvalidFilterSetting"},
               Case{"tex2d:f32:2x2:missing.bin", "missing.bin cannot be read"});
  // Every case has a folder of its own.
  std::string argument = c.image;
  if (const auto at = argument.find("IMAGE"); at != std::string::npos)
    argument.replace(at, 5, image);
  CAPTURE(c.image, c.why);
  const Outcome outcome = run(file, argument, "surf2d:f32:8x1");
  CHECK(outcome.code != 0);
  CAPTURE(outcome.err);
  CHECK(outcome.err.find(c.why) != std::string::npos);
}

TEST_CASE("launch ends with an error where a surface is too small for its kernel") {
  const TemporaryFolder folder;
  const std::string file = folder.write("sample.ptx", kSample);
  const std::string image = folder.write("image.bin", raw<float>({1, 2, 3, 4}));
  const Outcome outcome = run(file, "tex2d:f32:2x2:" + image, "surf2d:f32:4x1");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, Says("error.surface_out_of_bounds.long",
                               {{"kind", device::Message{"phrase.kind.write", {}, {}}},
                                {"bytes", 4},
                                {"object", "arg2"},
                                {"place", "(16, 0, 0)"},
                                {"extent", "16 x 1 x 1"},
                                {"thread", 4},
                                {"block", 0}}));
}

}  // namespace warpbook::tests::launch_texture_test
