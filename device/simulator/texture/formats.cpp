// Turns a texel's bytes into the values of a fetch: integers as they are, floats, or integers normalised to [0, 1]
// and [-1, 1] (CUDA C++ Programming Guide, "Texture Object API": read mode). Channels that the format
// does not have are read as 0, the fourth as 1.
#include "device/simulator/texture/formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "device/half.hpp"

namespace warpbook::device {
namespace {

/// Another host thread may be writing through a surface.
template <class T>
T load(const std::byte* from) {
  return __atomic_load_n(reinterpret_cast<const T*>(from), __ATOMIC_RELAXED);
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

template <class T>
struct AsInteger {
  static constexpr std::uint32_t kOne = 1;
  static std::uint32_t of(const std::byte* from) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(load<T>(from)));
  }
};

struct AsFloat {
  static constexpr std::uint32_t kOne = 0x3f800000;
  static std::uint32_t of(const std::byte* from) { return load<std::uint32_t>(from); }
};

struct AsHalf {
  static constexpr std::uint32_t kOne = 0x3f800000;
  static std::uint32_t of(const std::byte* from) {
    return bits(float_of_half(load<std::uint16_t>(from)));
  }
};

template <class T>
struct AsFraction {
  static constexpr std::uint32_t kOne = 0x3f800000;
  static std::uint32_t of(const std::byte* from) {
    constexpr auto kMost = static_cast<float>(std::numeric_limits<T>::max());
    const float value = static_cast<float>(load<T>(from)) / kMost;
    return bits(value < -1 ? -1.0f : value);
  }
};

/// IEC 61966-2-1.
std::uint32_t linear_of_srgb(std::uint8_t stored) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double c = static_cast<double>(i) / 255;
      values[i] =
          bits(static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)));
    }
    return values;
  }();
  return table[stored];
}

template <class Channel, std::size_t kBytes, int kChannels>
void unpack(const std::byte* texel, std::uint32_t (&to)[4]) {
  for (int k = 0; k < 4; ++k) {
    to[k] = k < kChannels ? Channel::of(texel + static_cast<std::size_t>(k) * kBytes)
                          : (k == 3 ? Channel::kOne : 0);
  }
}

template <int kChannels>
void unpack_srgb(const std::byte* texel, std::uint32_t (&to)[4]) {
  unpack<AsFraction<std::uint8_t>, 1, kChannels>(texel, to);
  for (int k = 0; k < std::min(kChannels, 3); ++k)
    to[k] = linear_of_srgb(load<std::uint8_t>(texel + k));
}

template <class Channel, std::size_t kBytes>
Unpack of_channels(std::uint32_t channels) {
  switch (channels) {
    case 1: return unpack<Channel, kBytes, 1>;
    case 2: return unpack<Channel, kBytes, 2>;
    case 4: return unpack<Channel, kBytes, 4>;
    default: return nullptr;
  }
}

template <class T>
Unpack of_integer(std::uint32_t channels, bool normalised) {
  return normalised ? of_channels<AsFraction<T>, sizeof(T)>(channels)
                    : of_channels<AsInteger<T>, sizeof(T)>(channels);
}

}  // namespace

Unpack unpack_of(ChannelFormat format, bool normalised, bool srgb) {
  if (srgb && normalised && format.type == ElementType::u8) {
    switch (format.channels) {
      case 1: return unpack_srgb<1>;
      case 2: return unpack_srgb<2>;
      case 4: return unpack_srgb<4>;
      default: return nullptr;
    }
  }
  switch (format.type) {
    case ElementType::u8: return of_integer<std::uint8_t>(format.channels, normalised);
    case ElementType::i8: return of_integer<std::int8_t>(format.channels, normalised);
    case ElementType::u16: return of_integer<std::uint16_t>(format.channels, normalised);
    case ElementType::i16: return of_integer<std::int16_t>(format.channels, normalised);
    case ElementType::u32: return of_channels<AsInteger<std::uint32_t>, 4>(format.channels);
    case ElementType::i32: return of_channels<AsInteger<std::int32_t>, 4>(format.channels);
    case ElementType::f16: return of_channels<AsHalf, 2>(format.channels);
    case ElementType::f32: return of_channels<AsFloat, 4>(format.channels);
    default: return nullptr;
  }
}

}  // namespace warpbook::device
