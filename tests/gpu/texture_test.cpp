// Textures, surfaces and symbols on a GPU against the simulator: the same kernels on the same texels. What is fetched unfiltered
// is bit for bit the same. A filtered fetch may differ by one step of the unit's weights, which have 8 bits behind the point
// (CUDA C++ Programming Guide, "Linear Filtering").
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/gpu/on_gpu.hpp"

namespace warpbook::tests::texture_test {

using namespace warpbook::device;
using namespace warpbook::tests;

namespace {

constexpr double kStep = 1.0 / 256;
constexpr std::uint32_t kFetches = 4096, kBlock = 128;

// Coordinates reach well outside of the texels on both sides, and meet whole and half ones.
constexpr const char* kFetch = R"(
__device__ float turned(unsigned i, unsigned factor) {
  return (i * factor % 1021) / 1021.0f * 3 - 1;
}
extern "C" __global__ void fetch(cudaTextureObject_t t, float4* out, float sx, float sy, float sz) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = turned(i, 389) * sx, y = turned(i, 613) * sy, z = turned(i, 997) * sz;
  const float half_x = floorf(x * 2) / 2;
#if KIND == 1
  out[i] = tex1D<float4>(t, i % 2 ? x : half_x);
#elif KIND == 2
  out[i] = tex2D<float4>(t, i % 2 ? x : half_x, y);
#elif KIND == 3
  out[i] = tex3D<float4>(t, i % 2 ? x : half_x, y, z);
#elif KIND == 4
  out[i] = tex1DLayered<float4>(t, x, i % 3);
#elif KIND == 5
  out[i] = tex2DLayered<float4>(t, x, y, i % 3);
#elif KIND == 6
  out[i] = texCubemap<float4>(t, x, y, z);
#elif KIND == 7
  out[i] = tex2DLod<float4>(t, x, y, (i % 40) / 8.0f - 0.5f);
#elif KIND == 8
  out[i] = tex2Dgather<float4>(t, x, y, 1);
#elif KIND == 9
  out[i] = tex1Dfetch<float4>(t, static_cast<int>(x));
#endif
})";

struct Read {
  int kind = 2;
  ArrayDescription array;
  TextureDescription how;
};

std::vector<std::byte> texels_of(const ArrayDescription& d, std::size_t count) {
  const std::size_t scalars = count * d.format.channels;
  std::vector<std::byte> bytes(scalars * size_of(d.format.type));
  for (std::size_t i = 0; i < scalars; ++i) {
    const auto value = static_cast<std::uint32_t>(i * 2654435761u >> 8);
    const auto real = static_cast<float>(value % 1000) / 1000.0f;
    const void* from = d.format.type == ElementType::f32 ? static_cast<const void*>(&real) : &value;
    std::memcpy(bytes.data() + i * size_of(d.format.type), from, size_of(d.format.type));
  }
  return bytes;
}

Array filled_array(Device& device, const ArrayDescription& d) {
  const auto array = device.create_array(d);
  if (!array) FAIL(array.error().english());
  std::uint32_t width = d.width, height = std::max(d.height, 1u);
  for (std::uint32_t level = 0; level < std::max(d.levels, 1u); ++level) {
    const auto bytes = texels_of(d, std::size_t{width} * height * std::max(d.depth, 1u));
    ArrayRegion region;
    region.level = level;
    const auto copied = device.copy_in_array(*array, bytes, region).wait();
    if (!copied) FAIL(copied.error().english());
    width = std::max(width / 2, 1u);
    height = std::max(height / 2, 1u);
  }
  return *array;
}

/// What the kernel fetched on that device, four floats a thread.
std::vector<float> fetched(Device& device, const Device& compiled_for, const Read& read) {
  const auto program =
      compile_for(compiled_for, "fetch.cu", kFetch, false, {{"KIND", std::to_string(read.kind)}});
  const auto module = device.load(program);
  if (!module) FAIL(module.error().english());
  TextureDescription how = read.how;
  Pointer buffer = 0;
  if (read.kind == 9) {
    const auto bytes = texels_of(read.array, read.array.width);
    const auto made = device.allocate("texels", ElementType::u8, bytes.size());
    REQUIRE(made);
    buffer = *made;
    REQUIRE(device.copy_in(buffer, bytes).wait());
    how.address = buffer;
    how.format = read.array.format;
    how.bytes = bytes.size();
  } else {
    how.array = filled_array(device, read.array);
  }
  const auto texture = device.create_texture(how);
  if (!texture) FAIL(texture.error().english());
  const auto out = device.allocate("out", ElementType::f32, kFetches * 4);
  REQUIRE(out);
  // Normalised coordinates go once across the texels.
  const auto scale = [&](std::uint32_t extent) {
    return how.normalised_coordinates || read.kind == 6 ? 1.0f
                                                        : static_cast<float>(std::max(extent, 1u));
  };
  Launch launch;
  launch.module = *module;
  launch.grid = {kFetches / kBlock, 1, 1};
  launch.block = {kBlock, 1, 1};
  launch.arguments = {Argument::of(texture->handle), Argument::pointer(*out),
                      Argument::of(scale(read.array.width)), Argument::of(scale(read.array.height)),
                      Argument::of(scale(read.array.depth))};
  const auto record = device.launch(std::move(launch)).wait();
  if (!record) FAIL(record.error().english());
  if ((*record)->error) FAIL((*record)->error->english());
  std::vector<float> got(kFetches * 4);
  REQUIRE(device.copy_out(std::as_writable_bytes(std::span(got)), *out).wait());
  CHECK(device.destroy(*texture));
  if (read.kind != 9) CHECK(device.destroy(how.array));
  CHECK(device.release(*out));
  if (buffer != 0) CHECK(device.release(buffer));
  return got;
}

/// The largest difference between the two devices; texels are between 0 and 1. Tells of the fetch that it is in.
double difference(Device& gpu, const Read& read) {
  const auto simulated = make_simulated_device(gpu.properties());
  const auto on_gpu = fetched(gpu, gpu, read), expected = fetched(*simulated, gpu, read);
  double largest = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = std::fabs(static_cast<double>(on_gpu[i]) - expected[i]);
    if (off <= largest) continue;
    largest = off;
    at = i;
  }
  if (largest > 0)
    UNSCOPED_INFO("fetch " << at / 4 << ": " << on_gpu[at] << ", simulated " << expected[at]);
  return largest;
}

ArrayDescription shape(int kind) {
  ArrayDescription d{"texels", {ElementType::f32, 4}, 24};
  if (kind != 1 && kind != 4 && kind != 9) d.height = kind == 6 ? 24 : 17;
  if (kind == 3) d.depth = 5;
  if (kind == 4 || kind == 5) d.depth = 3;
  if (kind == 6) d.depth = 6;
  d.layered = kind == 4 || kind == 5;
  d.cubemap = kind == 6;
  if (kind == 7) d.levels = 4;
  return d;
}

}  // namespace

TEST_CASE("on the GPU: unfiltered fetches of every kind of texture are the simulator's bits") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  for (int kind = 1; kind <= 9; ++kind) {
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::border}) {
      CAPTURE(kind, static_cast<int>(mode));
      Read read{kind, shape(kind), {}};
      read.how.normalised_coordinates = kind == 7;
      read.how.address_mode = {mode, mode, mode};
      read.how.border = {0.25f, 0.5f, 0.75f, 1.0f};
      read.how.mip_most = 3;
      CHECK(difference(*gpu, read) == 0);
    }
  }
}

TEST_CASE("on the GPU: wrapping and mirroring are the simulator's bits") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror}) {
    for (const int kind : {1, 2, 3}) {
      CAPTURE(kind, static_cast<int>(mode));
      Read read{kind, shape(kind), {}};
      read.how.normalised_coordinates = true;
      read.how.address_mode = {mode, mode, mode};
      CHECK(difference(*gpu, read) == 0);
    }
  }
}

TEST_CASE("on the GPU: filtered fetches are the simulator's but for one step of the weights") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  for (const int kind : {1, 2, 3, 4, 5, 7}) {
    CAPTURE(kind);
    Read read{kind, shape(kind), {}};
    read.how.normalised_coordinates = kind == 7;
    read.how.address_mode = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
    read.how.linear_filter = true;
    read.how.linear_mip_filter = kind == 7;
    read.how.mip_most = 3;
    // A step along each extent that is filtered, and one between levels.
    const int extents = kind == 3 || kind == 7 ? 3 : kind == 2 || kind == 5 ? 2 : 1;
    const double off = difference(*gpu, read);
    CAPTURE(off);
    CHECK(off <= extents * kStep);
  }
}

TEST_CASE("on the GPU: 8- and 16-bit texels read as floats are the simulator's") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  for (const ElementType type :
       {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16}) {
    for (const bool srgb : {false, true}) {
      if (srgb && type != ElementType::u8) continue;
      CAPTURE(name_of(type), srgb);
      Read read{2, shape(2), {}};
      read.array.format = {type, 4};
      read.how.normalised_read = true;
      read.how.srgb = srgb;
      // The unit's table of sRGB has no more bits than it needs.
      CHECK(difference(*gpu, read) <= (srgb ? kStep : 0));
    }
  }
}

TEST_CASE(
    "on the GPU: what a kernel writes through a surface is in the array, and outside nothing is") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
extern "C" __global__ void write(cudaSurfaceObject_t s) {
  const int x = threadIdx.x - 2, y = threadIdx.y - 2;
  surf2Dwrite(100 * y + x, s, x * 4, y, cudaBoundaryModeZero);
})");
  ArrayDescription d{"image", {ElementType::i32, 1}, 5, 3};
  d.surface = true;
  const auto array = gpu->create_array(d);
  REQUIRE(array);
  const auto surface = gpu->create_surface(*array);
  if (!surface) FAIL(surface.error().english());
  Launch launch;
  launch.module = module;
  launch.block = {16, 16, 1};
  launch.arguments = {Argument::of(surface->handle)};
  const auto record = gpu->launch(std::move(launch)).wait();
  REQUIRE(record);
  CHECK_FALSE((*record)->error);
  std::vector<std::int32_t> got(15), wanted;
  for (std::int32_t i = 0; i < 15; ++i) wanted.push_back(i / 5 * 100 + i % 5);
  REQUIRE(gpu->copy_out_array(std::as_writable_bytes(std::span(got)), *array).wait());
  CHECK(got == wanted);
}

TEST_CASE(
    "on the GPU: constant and global variables are written before a launch and read after it") {
  const std::unique_ptr<Device> gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
__constant__ float factors[4];
__device__ float products[4];
extern "C" __global__ void multiply() { products[threadIdx.x] = factors[threadIdx.x] * 2; })");
  const auto factors = gpu->global(*module, "factors"), products = gpu->global(*module, "products");
  REQUIRE(factors);
  REQUIRE(products);
  CHECK(factors->bytes == 16);
  const std::vector<float> sent{1, 2, 3, 4};
  REQUIRE(gpu->copy_in(factors->address, std::as_bytes(std::span(sent))).wait());
  Launch launch;
  launch.module = module;
  launch.block = {4, 1, 1};
  REQUIRE(gpu->launch(launch).wait());
  std::vector<float> got(4);
  REQUIRE(gpu->copy_out(std::as_writable_bytes(std::span(got)), products->address).wait());
  CHECK(got == std::vector<float>{2, 4, 6, 8});
}

}  // namespace warpbook::tests::texture_test
