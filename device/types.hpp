// The plain words that every part of device/ speaks: element types, three-dimensional extents, and
// where a figure comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "device/wire/fields.hpp"

namespace warpbook::device {

/// A device address. Never a host pointer, even on the simulator.
using Pointer = std::uint64_t;

inline constexpr int kLanes =
    32;  ///< lanes of a warp (CUDA Programming Guide, "SIMT architecture")
inline constexpr std::uint32_t kSectorBytes =
    32;  ///< smallest unit that moves between L1, L2 and DRAM

/// An extent or an index in threads or blocks, as CUDA's dim3.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};
template <class V>
void fields(V&& visit, Is<Dim3> auto& v) {
  visit("x", v.x);
  visit("y", v.y);
  visit("z", v.z);
}

/// The index with linear position `linear` in an extent, x fastest.
inline Dim3 unflatten(std::uint64_t linear, const Dim3& extent) {
  return {static_cast<std::uint32_t>(linear % extent.x),
          static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / (std::uint64_t{extent.x} * extent.y))};
}

/// The type of a buffer's elements.
enum class ElementType : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f16, bf16, f32, f64 };
/// As `warpbook launch --arg` spells them.
constexpr auto enum_names(ElementType) {
  return checked_names<ElementType>("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16",
                                    "bf16", "f32", "f64");
}

/// Bytes of one element.
std::size_t size_of(ElementType type);
/// True where `name` is a spelling of a type, which is then written to `type`.
bool parse_element_type(std::string_view name, ElementType& type);

template <class T>
struct element_type_of;
template <>
struct element_type_of<std::uint8_t> {
  static constexpr auto value = ElementType::u8;
};
template <>
struct element_type_of<std::int8_t> {
  static constexpr auto value = ElementType::i8;
};
template <>
struct element_type_of<std::uint16_t> {
  static constexpr auto value = ElementType::u16;
};
template <>
struct element_type_of<std::int16_t> {
  static constexpr auto value = ElementType::i16;
};
template <>
struct element_type_of<std::uint32_t> {
  static constexpr auto value = ElementType::u32;
};
template <>
struct element_type_of<std::int32_t> {
  static constexpr auto value = ElementType::i32;
};
template <>
struct element_type_of<std::uint64_t> {
  static constexpr auto value = ElementType::u64;
};
template <>
struct element_type_of<std::int64_t> {
  static constexpr auto value = ElementType::i64;
};
template <>
struct element_type_of<float> {
  static constexpr auto value = ElementType::f32;
};
template <>
struct element_type_of<double> {
  static constexpr auto value = ElementType::f64;
};

/// How a figure came about. Figures of different kinds are never blended.
enum class EvidenceKind : std::uint8_t {
  measured,   ///< a clock, on the named GPU or CPU
  counted,    ///< by the simulator
  estimated,  ///< by the timing model; always a band
  recorded,   ///< an earlier measured run of ours
  reported,   ///< stated by a library for a GPU that was described to it and is not present
  published   ///< measured by others and published; cited with its source
};
constexpr auto enum_names(EvidenceKind) {
  return checked_names<EvidenceKind>("measured", "counted", "estimated", "recorded", "reported",
                                     "published");
}

/// The evidence of a figure, which its badge shows.
struct Evidence {
  EvidenceKind kind = EvidenceKind::counted;
  Message on;        ///< the device, as a reader would name it: "H200, simulated"
  std::string when;  ///< ISO 8601, UTC; empty: in this run
  friend bool operator==(const Evidence&, const Evidence&) = default;
};
template <class V>
void fields(V&& visit, Is<Evidence> auto& v) {
  visit("kind", v.kind);
  visit("on", v.on);
  visit("when", v.when);
}

}  // namespace warpbook::device
