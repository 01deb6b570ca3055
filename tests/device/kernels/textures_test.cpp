// CUDA C++ that reads textures and writes surfaces, compiled by NVRTC, against plain C++.
#include <algorithm>
#include <cmath>

#include "tests/device/kernels/kernel_bench.hpp"
#include "tests/device/simulator/texture/texture_model.hpp"

namespace warpbook::tests::textures_test {

using namespace warpbook::device;
using warpbook::device::tests::TextureModel;

namespace {

template <class T>
Array array_of(Device& device, const ArrayDescription& description, const std::vector<T>& values) {
  const auto array = device.create_array(description);
  if (!array) FAIL(array.error().english());
  REQUIRE(device.copy_in_array(*array, std::as_bytes(std::span(values))).wait());
  return *array;
}
Argument texture_of(Device& device, const TextureDescription& description) {
  const auto texture = device.create_texture(description);
  if (!texture) FAIL(texture.error().english());
  return Argument::of(texture->handle);
}

/// A texture of floats over [x + size0 (y + size1 z)].
TextureModel model_of(const std::vector<float>& values, int dimensions, long x, long y = 1,
                      long z = 1) {
  TextureModel m;
  m.dimensions = dimensions;
  m.size[0] = x, m.size[1] = y, m.size[2] = z;
  m.texel = [&values, x, y](long i, long j, long k) {
    return static_cast<double>(values[static_cast<std::size_t>(i + x * (j + y * k))]);
  };
  return m;
}

bool close(float got, double want, double tolerance = 1e-5) {
  return std::fabs(static_cast<double>(got) - want) <= tolerance * std::fmax(1, std::fabs(want));
}

}  // namespace

TEST_CASE("An image is rotated through a filtered, wrapping texture") {
  KernelBench bench("textures.cu", false);
  constexpr int kWidth = 45, kHeight = 31;
  const std::vector<float> image = numbers<float>(kWidth * kHeight, 0, 1);
  TextureDescription t;
  t.array = array_of(bench.device(), {"image", {}, kWidth, kHeight}, image);
  t.linear_filter = t.normalised_coordinates = true;
  const Pointer out = bench.space<float>("out", image.size());
  const float angle = 0.6f;
  const auto record = bench.run("rotate", {{3, 4}, {16, 8}},
                                {texture_of(bench.device(), t), Argument::pointer(out),
                                 Argument::of(kWidth), Argument::of(kHeight), Argument::of(angle)});
  CHECK(record->total.texture_requests > 0);
  CHECK(record->most_texture_fetches == 1);
  TextureModel model = model_of(image, 2, kWidth, kHeight);
  model.linear = model.normalised = true;
  model.mode[0] = model.mode[1] = AddressMode::wrap;
  const std::vector<float> got = bench.get<float>(out, image.size());
  const float s = std::sin(angle), c = std::cos(angle);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const float u = static_cast<float>(x) / kWidth - 0.5f,
                  v = static_cast<float>(y) / kHeight - 0.5f;
      const float at[3] = {u * c - v * s + 0.5f, v * c + u * s + 0.5f, 0};
      // One step of a weight, should the sine's last bit differ.
      CAPTURE(x, y);
      REQUIRE(close(got[static_cast<std::size_t>(y * kWidth + x)], model.fetch(at), 1.0 / 128));
    }
  }
}

TEST_CASE("tex1Dfetch looks up linear memory, and gives 0 past its end") {
  KernelBench bench("textures.cu");
  const std::vector<float> table = numbers<float>(2 * 100, -1, 1);
  const std::vector<int> index = numbers<int>(333, -5, 104);
  TextureDescription t;
  t.address = bench.put("table", table);
  t.format = {ElementType::f32, 2};
  t.bytes = 800;
  const Pointer out = bench.space<float>("out", 2 * index.size());
  bench.run("lookup", {{3}, {128}},
            {texture_of(bench.device(), t), Argument::pointer(bench.put("index", index)),
             Argument::pointer(out), Argument::of(333)});
  std::vector<float> expected;
  for (const int i : index) {
    for (int k = 0; k < 2; ++k)
      expected.push_back(i < 0 || i >= 100 ? 0 : table[static_cast<std::size_t>(2 * i + k)]);
  }
  CHECK(first_difference(bench.get<float>(out, expected.size()), expected) == -1);
}

TEST_CASE("Every texture function of CUDA C++ fetches what its texture holds") {
  KernelBench bench("textures.cu");
  Device& device = bench.device();
  const std::vector<float> values = numbers<float>(6 * 64, -3, 3);
  TextureDescription t;
  t.address_mode.fill(AddressMode::clamp);
  t.linear_filter = true;
  std::vector<Argument> arguments;
  const auto part = [&](std::size_t count) {
    return std::vector<float>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const auto add = [&](const ArrayDescription& d, std::size_t count) {
    t.array = array_of(device, d, part(count));
    arguments.push_back(texture_of(device, t));
  };
  add({"line", {}, 7}, 7);
  add({"image", {}, 5, 6}, 30);
  add({"box", {}, 4, 3, 5}, 60);
  ArrayDescription layers{"layers", {}, 4, 4, 3};
  layers.layered = true;
  add(layers, 48);
  ArrayDescription cube{"cube", {}, 8, 8, 6};
  cube.cubemap = true;
  add(cube, 384);
  ArrayDescription pyramid{"pyramid", {}, 8, 8};
  pyramid.levels = 3;
  t.array = array_of(device, pyramid, part(64));
  for (std::uint32_t level = 1; level < 3; ++level) {
    ArrayRegion region;
    region.level = level;
    REQUIRE(device
                .copy_in_array(
                    t.array,
                    std::as_bytes(std::span(values).subspan(64 * level, level == 1 ? 16 : 4)),
                    region)
                .wait());
  }
  t.normalised_coordinates = t.linear_mip_filter = true;
  t.mip_most = 9;
  arguments.push_back(texture_of(device, t));
  constexpr std::size_t kCount = 100;
  const std::vector<float> at = numbers<float>(3 * kCount, 0, 4);
  const Pointer out = bench.space<float>("out", 12 * kCount);
  arguments.insert(arguments.end(), {Argument::pointer(bench.put("at", at)), Argument::pointer(out),
                                     Argument::of(static_cast<int>(kCount))});
  bench.run("fetch_all", {{4}, {32}}, arguments);
  const std::vector<float> got = bench.get<float>(out, 12 * kCount);

  const auto filtered = [](TextureModel m, const float(&u)[3]) {
    m.linear = true;
    return m.fetch(u);
  };
  const auto of_level = [&](int level, const float(&u)[3]) {
    const std::vector<float> texels(values.begin() + 64 * level, values.end());
    TextureModel m = model_of(texels, 2, 8 >> level, 8 >> level);
    m.linear = m.normalised = true;
    return m.fetch(u);
  };
  const auto mixed = [&](double lod, const float(&u)[3]) {
    lod = std::clamp(lod, 0.0, 2.0);
    const int level = static_cast<int>(lod);
    const double weight = std::floor((lod - level) * 256 + 0.5) / 256;
    return (1 - weight) * of_level(level, u) + (weight > 0 ? weight * of_level(level + 1, u) : 0);
  };
  for (std::size_t i = 0; i < kCount; ++i) {
    CAPTURE(i);
    const float u[3] = {at[3 * i], at[3 * i + 1], at[3 * i + 2]};
    const float* o = &got[12 * i];
    CHECK(close(o[0], filtered(model_of(values, 1, 7), u)));
    const TextureModel image = model_of(values, 2, 5, 6);
    CHECK(close(o[1], filtered(image, u)));
    CHECK(close(o[2], filtered(model_of(values, 3, 4, 3, 5), u)));
    TextureModel layer = model_of(values, 2, 4, 4);
    layer.texel = [&, l = i % 3](long x, long y, long) {
      return static_cast<double>(values[16 * l + static_cast<std::size_t>(x + 4 * y)]);
    };
    CHECK(close(o[3], filtered(layer, u)));
    // A cubemap's own table is tested elsewhere; here, that a fetch stays within the values.
    CHECK(std::fabs(o[4]) <= 3);
    CHECK(close(o[5], mixed(static_cast<double>(u[2]) / 2, u), 1.0 / 32));
    const double longest = std::fmax(2.0, static_cast<double>(u[2]));  // in texels of 1/8
    CHECK(close(o[6], mixed(std::log2(longest), u), 1.0 / 32));
    const long x = static_cast<long>(std::floor(u[0] - 0.5f)),
               y = static_cast<long>(std::floor(u[1] - 0.5f));
    CHECK(close(o[7], image.at(x, y + 1, 0)));
    CHECK(close(o[8], image.at(x + 1, y + 1, 0)));
    CHECK(close(o[9], image.at(x + 1, y, 0)));
    CHECK(close(o[10], image.at(x, y, 0)));
    CHECK(close(o[11], 1000 + filtered(image, u)));
  }
}

TEST_CASE("Surfaces are read and written in each boundary mode") {
  KernelBench bench("textures.cu");
  Device& device = bench.device();
  constexpr int kWidth = 37, kHeight = 21;
  const std::vector<std::uint16_t> image = numbers<std::uint16_t>(kWidth * kHeight, 0, 1000);
  ArrayDescription from{"from", {ElementType::u16, 1}, kWidth, kHeight},
      to{"to", {ElementType::u8, 4}, kWidth, kHeight};
  from.surface = to.surface = true;
  const Array source = array_of(device, from, image);
  const Array target = array_of(device, to, std::vector<std::uint8_t>(4 * image.size()));
  const auto a = device.create_surface(source), b = device.create_surface(target);
  REQUIRE((a && b));
  const std::vector<Argument> arguments = {Argument::of(a->handle), Argument::of(b->handle),
                                           Argument::of(kWidth), Argument::of(kHeight)};
  const KernelBench::Shape shape{{5, 3}, {8, 8}};
  for (const bool clamps : {false, true}) {
    bench.run(clamps ? "blur_clamp" : "blur_zero", shape, arguments);
    std::vector<std::uint8_t> got(4 * image.size()), expected;
    REQUIRE(device.copy_out_array(std::as_writable_bytes(std::span(got)), target).wait());
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        int sum = 0;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            const int i = std::clamp(x + dx, 0, kWidth - 1), j = std::clamp(y + dy, 0, kHeight - 1);
            if (clamps || (i == x + dx && j == y + dy))
              sum += image[static_cast<std::size_t>(j * kWidth + i)];
          }
        }
        for (const int v : {sum & 255, sum >> 8, x, y})
          expected.push_back(static_cast<std::uint8_t>(v));
      }
    }
    CHECK(first_difference(got, expected) == -1);
  }
  const auto trapped = bench.run_anyhow("blur_trap", shape, arguments);
  REQUIRE(trapped->error);
  CHECK(trapped->error->code == ErrorCode::surface_out_of_bounds);
  CHECK(trapped->error->place.file == "textures.cu");
  // Three reads for each place along the edge, and the corners' five.
  CHECK(trapped->findings_total == 3 * 2 * (kWidth - 2 + kHeight - 2) + 4 * 5);
}

TEST_CASE("Texture objects may be kept in memory, another in each lane") {
  KernelBench bench("textures.cu");
  Device& device = bench.device();
  std::vector<std::uint64_t> objects;
  for (int k = 0; k < 3; ++k) {
    std::vector<std::int32_t> row(40);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = 1000 * k + static_cast<int>(i);
    TextureDescription t;
    t.array = array_of(device, {"row", {ElementType::i32, 1}, 40}, row);
    const auto texture = device.create_texture(t);
    REQUIRE(texture);
    objects.push_back(texture->handle);
  }
  const Pointer out = bench.space<int>("out", 5 * 40);
  bench.run("choose", {{5}, {40}},
            {Argument::pointer(bench.put("objects", objects)), Argument::pointer(out)});
  std::vector<int> expected;
  for (int block = 0; block < 5; ++block) {
    for (int thread = 0; thread < 40; ++thread)
      expected.push_back((block + thread) % 3 * 1000 + thread);
  }
  CHECK(first_difference(bench.get<int>(out, 200), expected) == -1);
}

}  // namespace warpbook::tests::textures_test
