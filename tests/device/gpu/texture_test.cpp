// Arrays, textures and surfaces of the GPU's back end: what the driver is told of them, and each way in which it fails. What a
// texture unit computes, tests/gpu shows where there is one.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <numeric>

#include "device/gpu/gpu_device.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/device/gpu/stand_in_kernels.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::texture_test {

using namespace warpbook::device;
using namespace warpbook::tests;
using warpbook::device::gpu::GpuDevice;

namespace {

/// By the device interface alone, whose calls have their defaults.
std::unique_ptr<Device> opened() { return open_stand_in(); }
pid_t worker_of(const Device& gpu) { return dynamic_cast<const GpuDevice&>(gpu).worker(); }

Says refuses(const char* call) {
  return Says("phrase.why.driver-limits", {{"call", call}, {"name", "image"}});
}

ArrayDescription image(std::uint32_t width, std::uint32_t height) {
  ArrayDescription description{"image", {}, width, height};
  return description;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

Array array_of(Device& gpu, const ArrayDescription& description) {
  const auto array = gpu.create_array(description);
  if (!array) FAIL(array.error().english());
  return *array;
}

Texture texture_of(Device& gpu, const TextureDescription& description) {
  const auto texture = gpu.create_texture(description);
  if (!texture) FAIL(texture.error().english());
  return *texture;
}

TextureDescription reading(Array array) {
  TextureDescription description;
  description.array = array;
  return description;
}

Launch launch_of(const std::shared_ptr<const Module>& module, const char* kernel,
                 std::vector<Argument> arguments) {
  Launch launch;
  launch.module = module;
  launch.kernel = kernel;
  launch.arguments = std::move(arguments);
  return launch;
}

/// What the driver was told of the texture.
std::string told_of(Device& gpu, const std::shared_ptr<const Module>& module, Texture texture) {
  const auto record =
      gpu.launch(launch_of(module, "describe_texture", {Argument::of(texture.handle)})).wait();
  if (!record) FAIL(record.error().english());
  return (*record)->output;
}

/// The first texels that a kernel reads through it.
std::vector<float> read_through(Device& gpu, const std::shared_ptr<const Module>& module,
                                Texture texture, std::size_t count) {
  const auto out = gpu.allocate("out", ElementType::f32, count);
  REQUIRE(out);
  const auto bytes = static_cast<std::uint32_t>(count * sizeof(float));
  const auto record = gpu.launch(launch_of(module, "read_texels",
                                           {Argument::of(texture.handle), Argument::pointer(*out),
                                            Argument::of(bytes)}))
                          .wait();
  if (!record) FAIL(record.error().english());
  std::vector<float> got(count);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(got)), *out).wait());
  REQUIRE(gpu.release(*out));
  return got;
}

/// Fills an array, as its host memory lies after it came back.
std::vector<float> there_and_back(Device& gpu, const ArrayDescription& description,
                                  std::size_t texels) {
  const Array array = array_of(gpu, description);
  const std::vector<float> sent = counted(texels);
  REQUIRE(gpu.copy_in_array(array, std::as_bytes(std::span(sent))).wait());
  std::vector<float> got(texels);
  REQUIRE(gpu.copy_out_array(std::as_writable_bytes(std::span(got)), array).wait());
  REQUIRE(gpu.destroy(array));
  return got;
}

}  // namespace

TEST_CASE("An array of any shape on a GPU gives back what it was given") {
  const StandIn driver;
  const auto gpu = opened();
  CHECK(gpu->supports(Feature::textures));
  CHECK(gpu->supports(Feature::surfaces));
  struct Case {
    std::uint32_t width, height, depth;
    bool layered, cubemap;
    std::size_t texels;
  };
  const auto c = GENERATE(Case{7, 0, 0, false, false, 7}, Case{7, 5, 0, false, false, 35},
                          Case{7, 5, 3, false, false, 105}, Case{7, 0, 3, true, false, 21},
                          Case{7, 5, 3, true, false, 105}, Case{4, 4, 6, false, true, 96},
                          Case{4, 4, 12, true, true, 192});
  CAPTURE(c.width, c.height, c.depth, c.layered, c.cubemap);
  const ArrayDescription description{"a",       {},        c.width, c.height, c.depth,
                                     c.layered, c.cubemap, false,   0};
  CHECK(there_and_back(*gpu, description, c.texels) == counted(c.texels));
}

TEST_CASE("An array larger than what is staged at once goes in pieces") {
  const StandIn driver;
  const auto gpu = opened();
  // Rows of 400 KB: 41 of them fill the staging buffer, and a plane has 60.
  const ArrayDescription rows{"a", {}, 100000, 60};
  CHECK(there_and_back(*gpu, rows, 6000000) == counted(6000000));
  // Planes of 4 MB: four at a time.
  ArrayDescription planes{"a", {}, 1000, 1000, 9};
  CHECK(there_and_back(*gpu, planes, 9000000) == counted(9000000));
}

TEST_CASE("A box of one level of an array on a GPU comes from rows with gaps, and goes to such") {
  const StandIn driver;
  const auto gpu = opened();
  ArrayDescription description = image(8, 8);
  description.levels = 3;
  const Array array = array_of(*gpu, description);
  const std::vector<float> zeros(16, 0), rows = counted(10);
  ArrayRegion whole;
  whole.level = 1;
  REQUIRE(gpu->copy_in_array(array, std::as_bytes(std::span(zeros)), whole).wait());
  ArrayRegion box{1, 1, 2, 0, 3, 2, 1, 5 * sizeof(float)};
  REQUIRE(gpu->copy_in_array(array, std::as_bytes(std::span(rows)), box).wait());
  std::vector<float> got(16);
  REQUIRE(gpu->copy_out_array(std::as_writable_bytes(std::span(got)), array, whole).wait());
  CHECK(got == std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 6, 7, 8});
  std::vector<float> part(10, -1);
  REQUIRE(gpu->copy_out_array(std::as_writable_bytes(std::span(part)), array, box).wait());
  CHECK(part == std::vector<float>{1, 2, 3, -1, -1, 6, 7, 8, -1, -1});
}

TEST_CASE("The driver is told of a texture what its description says") {
  const StandIn driver;
  const auto gpu = opened();
  const auto module = load_stand_in_kernels(*gpu);
  SECTION("an image, filtered, with unnormalised coordinates, which do not wrap") {
    TextureDescription t = reading(array_of(*gpu, image(5, 3)));
    t.linear_filter = true;
    t.address_mode = {AddressMode::wrap, AddressMode::border, AddressMode::clamp};
    t.border = {0.25f, 0, 0, 1};
    // 8: gather; 32: a float.
    CHECK(told_of(*gpu, module, texture_of(*gpu, t)) ==
          "kind=0 format=32 channels=1 width=5 height=3 depth=0 array=8 levels=0 address=1 "
          "address=3 address=1 filter=1 flags=0 mip=0 level=0.000000 level=0.000000 "
          "level=0.000000 border=0.250000 border=0.000000 border=0.000000 border=1.000000\n");
  }
  SECTION("a mipmapped, layered one of 8-bit colours that become linear") {
    ArrayDescription description{"sky", {ElementType::u8, 4}, 16, 8, 2, true, false, true, 4};
    TextureDescription t = reading(array_of(*gpu, description));
    t.normalised_coordinates = t.normalised_read = t.srgb = true;
    t.linear_filter = t.linear_mip_filter = true;
    t.address_mode[1] = AddressMode::mirror;
    t.mip_bias = 0.5f;
    t.mip_least = 1;
    t.mip_most = 3;
    CHECK(told_of(*gpu, module, texture_of(*gpu, t)) ==
          "kind=1 format=1 channels=4 width=16 height=8 depth=2 array=3 levels=4 address=0 "
          "address=2 address=0 filter=1 flags=18 mip=1 level=0.500000 level=1.000000 "
          "level=3.000000 border=0.000000 border=0.000000 border=0.000000 border=0.000000\n");
  }
  SECTION("a cubemap of integers, which are not promoted") {
    ArrayDescription description{"cube", {ElementType::i16, 2}, 4, 4, 6, false, true};
    const std::string told =
        told_of(*gpu, module, texture_of(*gpu, reading(array_of(*gpu, description))));
    CHECK(told.starts_with("kind=0 format=9 channels=2 width=4 height=4 depth=6 array=4 "));
    CHECK(told.find(" filter=0 flags=1 ") != std::string::npos);
  }
  SECTION("a linear buffer, of whole texels") {
    const auto x = gpu->allocate("x", ElementType::u32, 10);
    REQUIRE(x);
    TextureDescription t;
    t.address = *x;
    t.format = {ElementType::u32, 2};
    t.bytes = 39;
    CHECK(told_of(*gpu, module, texture_of(*gpu, t))
              .starts_with("kind=2 format=3 channels=2 bytes=32 "));
  }
  SECTION("a pitched buffer") {
    const auto x = gpu->allocate("x", ElementType::f16, 32 * 3);
    REQUIRE(x);
    TextureDescription t;
    t.address = *x;
    t.format = {ElementType::f16, 1};
    t.width = 20;
    t.height = 3;
    t.pitch_bytes = 64;
    CHECK(told_of(*gpu, module, texture_of(*gpu, t))
              .starts_with("kind=3 format=16 channels=1 width=20 height=3 pitch=64 "));
  }
}

TEST_CASE("A kernel on a GPU reads a texture's memory and writes a surface's") {
  const StandIn driver;
  const auto gpu = opened();
  const auto module = load_stand_in_kernels(*gpu);
  ArrayDescription description = image(4, 2);
  description.surface = true;
  const Array array = array_of(*gpu, description);
  const std::vector<float> sent = counted(8);
  REQUIRE(gpu->copy_in_array(array, std::as_bytes(std::span(sent))).wait());
  const Texture texture = texture_of(*gpu, reading(array));
  CHECK(read_through(*gpu, module, texture, 8) == sent);

  const auto surface = gpu->create_surface(array);
  REQUIRE(surface);
  const auto record =
      gpu->launch(launch_of(module, "write_texels", {Argument::of(surface->handle)})).wait();
  REQUIRE(record);
  std::vector<std::uint8_t> got(32), wanted(32);
  std::iota(wanted.begin(), wanted.end(), std::uint8_t{0});
  REQUIRE(gpu->copy_out_array(std::as_writable_bytes(std::span(got)), array).wait());
  CHECK(got == wanted);
  CHECK(gpu->destroy(*surface));
  CHECK(gpu->destroy(texture));
  CHECK(gpu->destroy(array));
}

TEST_CASE("What CUDA refuses of textures is refused on a GPU before the driver sees it") {
  const StandIn driver("array 1\ntexture 1\nsurface 1");
  const auto gpu = opened();
  const auto code = [](const auto& refused) {
    REQUIRE(!refused);
    return refused.error().code;
  };
  CHECK(code(gpu->create_array(image(0, 3))) == ErrorCode::invalid_value);
  ArrayDescription three = image(4, 4);
  three.format.channels = 3;
  CHECK(code(gpu->create_array(three)) == ErrorCode::invalid_channel);
  CHECK(code(gpu->create_texture(reading({77}))) == ErrorCode::invalid_handle);
  CHECK(code(gpu->create_surface({77}, 0)) == ErrorCode::invalid_handle);
  TextureDescription nowhere;
  nowhere.address = 4096;
  nowhere.bytes = 16;
  CHECK(code(gpu->create_texture(nowhere)) == ErrorCode::invalid_value);
  CHECK(code(gpu->destroy(Array{77})) == ErrorCode::invalid_handle);
  CHECK(code(gpu->destroy(Texture{77})) == ErrorCode::invalid_handle);
  CHECK(code(gpu->destroy(Surface{77})) == ErrorCode::invalid_handle);
  std::vector<std::byte> host(4);
  CHECK(code(gpu->copy_in_array({77}, host).wait()) == ErrorCode::invalid_handle);
  CHECK(code(gpu->copy_out_array(host, {77}).wait()) == ErrorCode::invalid_handle);
  CHECK(driver.orders_left() == "array 1\ntexture 1\nsurface 1");
}

TEST_CASE("A copy beside an array on a GPU is refused by name") {
  const StandIn driver;
  const auto gpu = opened();
  const Array array = array_of(*gpu, image(4, 4));
  std::vector<std::byte> host(63);
  const auto small = gpu->copy_in_array(array, host).wait();
  REQUIRE(!small);
  CHECK(warpbook::tests::keyed(small.error()) ==
        "invalid_value(why=phrase.texture.copy(bytes=63, call=copy_in_array, name=image, "
        "needed=64))");
  const auto beside = gpu->copy_out_array(host, array, {0, 3, 0, 0, 2, 1, 1, 0}).wait();
  REQUIRE(!beside);
  CHECK(beside.error().code == ErrorCode::invalid_value);
}

TEST_CASE("What the driver refuses of textures says which call and what, and costs nothing") {
  StandIn driver;
  const auto gpu = opened();
  ArrayDescription description = image(4, 4);
  description.surface = true;
  const Array array = array_of(*gpu, description);
  const pid_t before = worker_of(*gpu);
  driver.order("once array 1");
  const auto refused = gpu->create_array(image(4, 4));
  REQUIRE(!refused);
  CHECK(warpbook::tests::keyed(refused.error()) ==
        "invalid_value(why=phrase.why.driver-limits(call=cuArray3DCreate, name=image, "
        "status=CUDA_ERROR_INVALID_VALUE))");
  driver.order("once array 801");
  description.levels = 2;
  const auto pyramid = gpu->create_array(description);
  REQUIRE(!pyramid);
  CHECK_THAT(pyramid.error().english(),
             Says("phrase.why.driver-limits", {{"call", "cuMipmappedArrayCreate"},
                                               {"name", "image"},
                                               {"status", "CUDA_ERROR_NOT_SUPPORTED"}}));
  driver.order("once texture 1");
  const auto texture = gpu->create_texture(reading(array));
  REQUIRE(!texture);
  CHECK_THAT(texture.error().english(), refuses("cuTexObjectCreate"));
  driver.order("once surface 1");
  const auto surface = gpu->create_surface(array);
  REQUIRE(!surface);
  CHECK_THAT(surface.error().english(), refuses("cuSurfObjectCreate"));
  CHECK(gpu->create_texture(reading(array)));
  CHECK(gpu->create_surface(array));
  CHECK(worker_of(*gpu) == before);
}

TEST_CASE("A GPU with no memory left for an array says how much there is, and goes on") {
  const StandIn driver("memory 4096");
  const auto gpu = opened();
  const Array first = array_of(*gpu, image(31, 32));
  const auto second = gpu->create_array(image(5, 8));
  REQUIRE(!second);
  CHECK(second.error().code == ErrorCode::out_of_memory);
  CHECK_THAT(second.error().english(),
             warpbook::tests::Says("error.out_of_memory.long", {{"name", "image"}, {"free", 128}}));
  REQUIRE(gpu->destroy(first));
  CHECK(gpu->create_array(image(5, 8)));
}

TEST_CASE("A driver without one of the functions of textures is no driver") {
  const auto function = GENERATE("cuArray3DCreate", "cuMipmappedArrayGetLevel", "cuMemcpy3DAsync",
                                 "cuTexObjectCreate", "cuSurfObjectDestroy");
  CAPTURE(function);
  const StandIn driver(std::string("absent ") + function);
  const auto gpu = GpuDevice::open();
  REQUIRE(!gpu);
  CHECK(gpu.error().code == ErrorCode::driver_missing);
  CHECK(gpu.error().english().find(function) != std::string::npos);
}

TEST_CASE(
    "Textures are lost with a GPU's memory, are told by name, and new ones have new handles") {
  StandIn driver;
  const auto gpu = opened();
  const auto module = load_stand_in_kernels(*gpu);
  ArrayDescription description = image(4, 2);
  description.surface = true;
  const Array old_array = array_of(*gpu, description);
  const Texture old_texture = texture_of(*gpu, reading(old_array));
  const auto old_surface = gpu->create_surface(old_array);
  REQUIRE(old_surface);
  driver.order("once run 700");
  (void)gpu->launch(say(module, 1)).wait();

  const auto lost = [](const auto& result) {
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::memory_lost);
    CHECK(argument_of(result.error().arguments, "name")->text == "image");
  };
  std::vector<std::byte> host(32);
  lost(gpu->copy_in_array(old_array, host).wait());
  lost(gpu->copy_out_array(host, old_array).wait());
  lost(gpu->create_texture(reading(old_array)));
  lost(gpu->create_surface(old_array));
  lost(gpu->launch(launch_of(module, "describe_texture", {Argument::of(old_texture.handle)}))
           .wait());

  // The new driver counts its handles from 1 again.
  const Array array = array_of(*gpu, description);
  const std::vector<float> sent = counted(8);
  REQUIRE(gpu->copy_in_array(array, std::as_bytes(std::span(sent))).wait());
  const Texture texture = texture_of(*gpu, reading(array));
  const auto surface = gpu->create_surface(array);
  REQUIRE(surface);
  CHECK(array.handle != old_array.handle);
  CHECK(texture.handle != old_texture.handle);
  CHECK(surface->handle != old_surface->handle);
  CHECK(read_through(*gpu, module, texture, 8) == sent);
  lost(gpu->launch(launch_of(module, "describe_texture", {Argument::of(old_texture.handle)}))
           .wait());
  CHECK(gpu->destroy(old_texture));
  CHECK(gpu->destroy(*old_surface));
  CHECK(gpu->destroy(old_array));
  CHECK(!gpu->destroy(old_array));
}

TEST_CASE("A texture of a buffer that was lost is not made") {
  StandIn driver;
  const auto gpu = opened();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::f32, 8);
  REQUIRE(x);
  driver.order("once run 719");
  (void)gpu->launch(say(module, 1)).wait();
  TextureDescription t;
  t.address = *x;
  t.bytes = 32;
  const auto texture = gpu->create_texture(t);
  REQUIRE(!texture);
  CHECK(texture.error().code == ErrorCode::memory_lost);
}

TEST_CASE("A GPU that is lost in the middle of a copy of an array is told") {
  StandIn driver;
  const auto gpu = opened();
  const Array array = array_of(*gpu, image(4, 2));
  std::vector<std::byte> host(32);
  driver.order("once copy 46");
  const auto copied = gpu->copy_in_array(array, host).wait();
  REQUIRE(!copied);
  CHECK(copied.error().code == ErrorCode::gpu_lost);
  CHECK(copied.error().english().find("cuMemcpy3DAsync") != std::string::npos);
  const auto again = gpu->copy_in_array(array, host).wait();
  REQUIRE(!again);
  CHECK(again.error().code == ErrorCode::memory_lost);
}

TEST_CASE("A number that is no handle stays a number after textures were lost") {
  StandIn driver;
  const auto gpu = opened();
  auto program = std::make_shared<Program>();
  program->name = "plain.ptx";
  program->ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry add_one(.param .u64 x, .param .u32 n, .param .u64 unused) { ret; }
)";
  const auto plain = gpu->load(program);
  REQUIRE(plain);
  const Texture texture = texture_of(*gpu, reading(array_of(*gpu, image(4, 2))));
  driver.order("once run 700");
  (void)gpu->launch(say(load_stand_in_kernels(*gpu), 1)).wait();
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  CHECK(gpu->launch(
               launch_of(*plain, "add_one",
                         {Argument::pointer(*x), Argument::of(1u), Argument::of(texture.handle)}))
            .wait());
}

}  // namespace warpbook::tests::texture_test
