#include "device/simulator/texture/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpbook::device {
namespace {

constexpr double kWeights = 256;              ///< steps from texel to texel
constexpr double kFarAway = 1e13;             ///< beyond every texture
constexpr float kWholeNumbers = 16777216.0f;  ///< floats from here on are even
constexpr std::uint32_t kTrue = 0x3f800000;   ///< 1.0f

int dimensions_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::linear:
    case TextureShape::d1:
    case TextureShape::a1d: return 1;
    case TextureShape::d3: return 3;
    default: return 2;
  }
}

bool is_cube(TextureShape shape) {
  return shape == TextureShape::cube || shape == TextureShape::acube;
}

std::int64_t floor_of(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return whole - (x < static_cast<double>(whole) ? 1 : 0);
}

/// The index of the texel at `i` in a row of `size`; -1 for the border.
std::int64_t resolve(std::int64_t i, std::uint32_t size, AddressMode mode) {
  const auto n = static_cast<std::int64_t>(size);
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case AddressMode::clamp: return i < 0 ? 0 : n - 1;
    case AddressMode::wrap: return (i % n + n) % n;
    case AddressMode::mirror: {
      const std::int64_t m = (i % (2 * n) + 2 * n) % (2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case AddressMode::border: return -1;
  }
  return -1;
}

/// A direction on its cube's face: s and t scaled by m (CUDA C++ Programming Guide, "Cubemap Textures").
struct Face {
  std::uint32_t face;
  double m, s, t;
};
Face on_face(std::uint32_t face, const float (&v)[3]) {
  const double x = static_cast<double>(v[0]), y = static_cast<double>(v[1]),
               z = static_cast<double>(v[2]);
  switch (face) {
    case 0: return {0, x, -z, -y};
    case 1: return {1, -x, z, -y};
    case 2: return {2, y, x, z};
    case 3: return {3, -y, x, -z};
    case 4: return {4, z, x, -y};
    default: return {5, -z, -x, -y};
  }
}
/// The guide leaves open which face an edge belongs to. An H100 takes a corner for z's; that y comes before x is assumed.
Face face_of(const float (&v)[3]) {
  const float x = std::fabs(v[0]), y = std::fabs(v[1]), z = std::fabs(v[2]);
  std::uint32_t face = 0;
  if (z >= x && z >= y)
    face = v[2] < 0 ? 5 : 4;
  else if (y >= x)
    face = v[1] < 0 ? 3 : 2;
  else
    face = v[0] < 0 ? 1 : 0;
  return on_face(face, v);
}

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }

}  // namespace

TextureSampler::TextureSampler(const TextureObject& texture, const Context& c)
    : t_(texture),
      dimensions_(dimensions_of(texture.shape)),
      is_cube_(is_cube(texture.shape)),
      memory_(c.global - kGlobalBase),
      valid_(c.global_valid - kGlobalBase / 4),
      check_(c.check) {}

void TextureSampler::texel(const TexelLevel& level, std::int64_t x, std::int64_t y,
                           std::int64_t plane, std::uint32_t (&to)[4]) {
  const std::uint32_t bytes = t_.texel_bytes;
  const Pointer address = level.address + static_cast<std::uint64_t>(plane) * level.plane_bytes +
                          static_cast<std::uint64_t>(y) * level.row_bytes +
                          static_cast<std::uint64_t>(x) * bytes;
  t_.unpack(memory_ + address, to);
  if (!check_) return;
  bool valid = true;
  if (bytes >= 4) {
    for (std::uint32_t k = 0; k < bytes / 4; ++k) valid = valid && valid_[address / 4 + k] == 0xf;
  } else {
    const std::uint32_t need = ((1u << bytes) - 1) << (address % 4);
    valid = (valid_[address / 4] & need) == need;
  }
  if (!valid && undefined == 0) undefined = address;
}

void TextureSampler::addressed(const TexelLevel& level, const std::int64_t (&at)[3],
                               std::uint32_t plane, const FetchPlace& place,
                               std::uint32_t (&to)[4]) {
  const std::int64_t x = resolve(at[0], level.width, t_.address_mode[0]);
  const std::int64_t y = dimensions_ < 2 ? 0 : resolve(at[1], level.height, t_.address_mode[1]);
  const std::int64_t z = dimensions_ < 3 ? plane : resolve(at[2], level.planes, t_.address_mode[2]);
  if (x < 0 || y < 0 || z < 0)
    std::copy_n(t_.border, 4, to);
  else
    texel(level, x, y, z, to);
  if (place.compares) to[0] = place.reference <= as_float(to[0]) ? kTrue : 0;
}

/// The layer or face, and the coordinates in it.
TextureSampler::Plane TextureSampler::plane_of(const FetchPlace& place) const {
  Plane p{{static_cast<double>(place.u[0]), static_cast<double>(place.u[1]),
           static_cast<double>(place.u[2])},
          0,
          t_.normalised_coordinates};
  const std::uint32_t planes = t_.levels[0].planes;
  if (is_cube_) {
    const Face f = face_of(place.u);
    p.u[0] = (f.s / f.m + 1) / 2;
    p.u[1] = (f.t / f.m + 1) / 2;
    p.plane = std::min(place.layer, planes / 6 - 1) * 6 + f.face;
    p.normalised = true;
  } else if (dimensions_ < 3) {
    p.plane = std::min(place.layer, planes - 1);
  }
  return p;
}

/// In texels, near enough to the texture to be counted in integers.
double TextureSampler::texel_coordinate(double u, std::uint32_t size, AddressMode mode,
                                        bool normalised) const {
  if (std::isnan(u)) return 0;
  if (normalised) {
    const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
    if (repeats && std::fabs(u) >= static_cast<double>(kWholeNumbers)) return 0;
    u *= size;
  }
  return std::clamp(u, -kFarAway, kFarAway);
}

/// The texel that a coordinate of no cubemap falls in, before the address mode.
inline std::int64_t TextureSampler::texel_index(float u, std::uint32_t size, int axis) const {
  const double x =
      t_.normalised_coordinates ? static_cast<double>(u) * size : static_cast<double>(u);
  if (x >= 0 && x < size) return static_cast<std::int64_t>(x);
  return floor_of(texel_coordinate(static_cast<double>(u), size,
                                   t_.address_mode[static_cast<std::size_t>(axis)],
                                   t_.normalised_coordinates));
}

void TextureSampler::point(const TexelLevel& level, const FetchPlace& place, const Plane& plane,
                           std::uint32_t (&to)[4]) {
  const std::uint32_t size[3] = {level.width, level.height, level.planes};
  std::int64_t at[3] = {};
  for (int k = 0; k < dimensions_; ++k) {
    at[k] =
        floor_of(texel_coordinate(plane.u[k], size[k], t_.address_mode[static_cast<std::size_t>(k)],
                                  plane.normalised)) +
        place.offset[k];
  }
  addressed(level, at, plane.plane, place, to);
}

void TextureSampler::filter(const TexelLevel& level, const FetchPlace& place, const Plane& plane,
                            double (&to)[4]) {
  std::fill_n(to, 4, 0.0);
  std::uint32_t texels[4];
  if (!t_.linear_filter) {
    point(level, place, plane, texels);
    for (int k = 0; k < 4; ++k) to[k] = static_cast<double>(as_float(texels[k]));
    return;
  }
  const std::uint32_t size[3] = {level.width, level.height, level.planes};
  std::int64_t first[3] = {};
  double weight[3] = {};
  for (int k = 0; k < dimensions_; ++k) {
    const double x =
        texel_coordinate(plane.u[k], size[k], t_.address_mode[static_cast<std::size_t>(k)],
                         plane.normalised) -
        0.5;
    first[k] = floor_of(x);
    weight[k] = std::floor((x - static_cast<double>(first[k])) * kWeights + 0.5) / kWeights;
    first[k] += place.offset[k];
  }
  for (int corner = 0; corner < 1 << dimensions_; ++corner) {
    double share = 1;
    std::int64_t at[3] = {};
    for (int k = 0; k < dimensions_; ++k) {
      const bool upper = corner >> k & 1;
      share *= upper ? weight[k] : 1 - weight[k];
      at[k] = first[k] + (upper ? 1 : 0);
    }
    if (share == 0) continue;
    addressed(level, at, plane.plane, place, texels);
    for (int k = 0; k < 4; ++k) to[k] += share * static_cast<double>(as_float(texels[k]));
  }
}

void TextureSampler::sample_base(const FetchPlace& place, std::uint32_t (&to)[4]) {
  if (!t_.linear_filter && !is_cube_) {
    // The usual fetch: no plane has to be found for it, but that of its layer.
    const TexelLevel& level = t_.levels.front();
    const std::uint32_t size[3] = {level.width, level.height, level.planes};
    std::int64_t at[3] = {};
    for (int k = 0; k < dimensions_; ++k)
      // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a texture has at most three dimensions
      at[k] = texel_index(place.u[k], size[k], k) + place.offset[k];
    return addressed(level, at, std::min(place.layer, level.planes - 1), place, to);
  }
  const Plane plane = plane_of(place);
  if (!t_.linear_filter) return point(t_.levels[0], place, plane, to);
  double value[4];
  filter(t_.levels[0], place, plane, value);
  for (int k = 0; k < 4; ++k) to[k] = std::bit_cast<std::uint32_t>(static_cast<float>(value[k]));
}

void TextureSampler::sample(const FetchPlace& place, double lod, std::uint32_t (&to)[4]) {
  if (!t_.mipmapped) return sample_base(place, to);
  const auto last = static_cast<double>(t_.levels.size() - 1);
  lod += static_cast<double>(t_.mip_bias);
  if (std::isnan(lod)) lod = 0;
  lod =
      std::min(std::max(lod, static_cast<double>(t_.mip_least)), static_cast<double>(t_.mip_most));
  lod = std::clamp(lod, 0.0, last);
  const Plane plane = plane_of(place);
  const double nearest = t_.linear_mip_filter ? std::floor(lod) : std::floor(lod + 0.5);
  const auto level = static_cast<std::size_t>(nearest);
  if (!t_.linear_filter && !t_.linear_mip_filter) return point(t_.levels[level], place, plane, to);
  double value[4];
  filter(t_.levels[level], place, plane, value);
  const double weight =
      t_.linear_mip_filter ? std::floor((lod - nearest) * kWeights + 0.5) / kWeights : 0;
  if (weight != 0) {
    double coarser[4];
    filter(t_.levels[level + 1], place, plane, coarser);
    for (int k = 0; k < 4; ++k)
      value[k] = weight == 1 ? coarser[k] : (1 - weight) * value[k] + weight * coarser[k];
  }
  for (int k = 0; k < 4; ++k) to[k] = std::bit_cast<std::uint32_t>(static_cast<float>(value[k]));
}

void TextureSampler::load(const std::int64_t (&at)[3], std::uint32_t layer, std::int64_t level,
                          std::uint32_t (&to)[4]) {
  std::fill_n(to, 4, 0u);
  if (level < 0 || level >= static_cast<std::int64_t>(t_.levels.size())) return;
  const TexelLevel& l = t_.levels[static_cast<std::size_t>(level)];
  const std::int64_t size[3] = {l.width, l.height, l.planes};
  for (int k = 0; k < dimensions_; ++k) {
    if (at[k] < 0 || at[k] >= size[k]) return;
  }
  if (dimensions_ < 3 && layer >= l.planes) return;
  texel(l, at[0], dimensions_ < 2 ? 0 : at[1], dimensions_ < 3 ? layer : at[2], to);
}

void TextureSampler::gather(const FetchPlace& place, int component, std::uint32_t (&to)[4]) {
  const TexelLevel& level = t_.levels[0];
  const Plane plane = plane_of(place);
  const std::uint32_t size[2] = {level.width, level.height};
  std::int64_t first[2];
  for (int k = 0; k < 2; ++k) {
    first[k] =
        floor_of(texel_coordinate(plane.u[k], size[k], t_.address_mode[static_cast<std::size_t>(k)],
                                  plane.normalised) -
                 0.5) +
        place.offset[k];
  }
  constexpr int kRight[] = {0, 1, 1, 0}, kLower[] = {1, 1, 0, 0};
  for (int n = 0; n < 4; ++n) {
    std::uint32_t texels[4];
    addressed(level, {first[0] + kRight[n], first[1] + kLower[n], 0}, plane.plane, place, texels);
    to[n] = texels[component];
  }
}

double TextureSampler::lod_of(const FetchPlace& place, const float (&dx)[3],
                              const float (&dy)[3]) const {
  const TexelLevel& level = t_.levels[0];
  const double size[3] = {static_cast<double>(level.width), static_cast<double>(level.height),
                          static_cast<double>(level.planes)};
  const auto length = [&](const float(&d)[3]) {
    double sum = 0;
    if (is_cube_) {
      const Face f = face_of(place.u), change = on_face(f.face, d);
      const double s = (change.s * f.m - f.s * change.m) / (f.m * f.m) / 2 * size[0];
      const double t = (change.t * f.m - f.t * change.m) / (f.m * f.m) / 2 * size[1];
      return std::sqrt(s * s + t * t);
    }
    for (int k = 0; k < dimensions_; ++k) {
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): at most three dimensions
      const double texels = static_cast<double>(d[k]) * (t_.normalised_coordinates ? size[k] : 1);
      sum += texels * texels;
    }
    return std::sqrt(sum);
  };
  return std::log2(std::max(length(dx), length(dy)));
}

}  // namespace warpbook::device
