// An array of numbers, as numbers, a plot, a heat map or an image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// An array of numbers.
struct TensorExhibit {
  static constexpr std::string_view kKind = "tensor";
  /// What is shown first. Automatic: numbers where they are few, else a plot of a list and a heat map of what has rows.
  enum class View : std::uint8_t { automatic, table, plot, heat, image };
  std::string name;  ///< "out"
  device::ElementType type = device::ElementType::f32;
  std::vector<std::uint64_t> shape;  ///< row-major, outermost first
  std::vector<std::byte> data;       ///< product of shape x size_of(type), little-endian
  std::vector<std::uint64_t> wrong;  ///< linear indices of elements that differ from the truth
  View view = View::automatic;
  friend bool operator==(const TensorExhibit&, const TensorExhibit&) = default;
};
/// Element `index` as a double; exact for types of up to 53 bits.
double element(const TensorExhibit& tensor, std::uint64_t index);
/// Element `index` as text, exact for integers.
std::string element_text(const TensorExhibit& tensor, std::uint64_t index);
/// The same as people read it: typeset().
std::string element_figure(const TensorExhibit& tensor, std::uint64_t index);
/// Elements.
std::uint64_t count(const TensorExhibit& tensor);

/// Element `index` without loss, whatever its type: a long double holds every 64-bit integer.
long double exact_element(const TensorExhibit& tensor, std::uint64_t index);
/// Elements that the data really holds: count(), less where the data is too short for the shape.
std::uint64_t held(const TensorExhibit& tensor);
bool is_wrong(const TensorExhibit& tensor, std::uint64_t index);
/// "4", "3 x 4"; "0" where there are no dimensions but also no data.
std::string shape_text(const TensorExhibit& tensor);

struct TensorRange {
  bool any_finite = false;
  std::uint64_t lowest = 0, highest = 0;  ///< indices of the least and the greatest finite element
  std::uint64_t not_finite = 0;           ///< elements that are NaN or infinite
  std::uint64_t first_not_finite = 0;
};
TensorRange range_of(const TensorExhibit& tensor);

constexpr auto enum_names(TensorExhibit::View) {
  return device::checked_names<TensorExhibit::View>("automatic", "table", "plot", "heat", "image");
}

template <class V>
void fields(V&& visit, Is<TensorExhibit> auto& v) {
  visit("name", v.name);
  visit("type", v.type);
  visit("shape", v.shape);
  visit("data", v.data);
  visit("wrong", v.wrong);
  visit("view", v.view);
}
/// The data fill the shape, because renderers index them by it, and every wrong element is one of them.
bool valid(const TensorExhibit& v);

/// A number as JSON has it: an element of an integer type without loss.
using TensorNumber = std::variant<double, std::int64_t, std::uint64_t>;
TensorNumber number_at(const TensorExhibit& tensor, std::uint64_t index);
/// Elements of one tensor; "count" says how many there are.
inline constexpr std::uint64_t kMostElementsInJson = 65536;
void extras(JsonExtras& json, const TensorExhibit& tensor);

std::string sentence_of(const TensorExhibit& tensor, const Strings& strings);
void text_body(const TensorExhibit& tensor, const Strings& strings, Page& page);
std::string html_body(const TensorExhibit& tensor, const TensorExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<TensorExhibit> kind);
Table table_of(const TensorExhibit& tensor, const Strings& strings);
void compare(const TensorExhibit& a, const TensorExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
