#include "lab/model/exhibits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "device/half.hpp"
#include "lab/model/tensor_values.hpp"
#include "lab/model/warps.hpp"

namespace warpbook::lab {
namespace {

using device::ElementType;

static_assert(std::endian::native == std::endian::little,
              "tensors are little-endian, and read as they lie");
static_assert(std::numeric_limits<long double>::digits >= 64,
              "long double must hold every 64-bit integer");

template <class T>
T read(const TensorExhibit& tensor, std::uint64_t index) {
  if (index >= tensor.data.size() / sizeof(T))
    throw std::out_of_range("element outside the tensor " + tensor.name);
  T value;
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// Calls `use` with the element in its own type; 16-bit floats come as float.
template <class Use>
auto with_element(const TensorExhibit& tensor, std::uint64_t index, Use&& use) {
  switch (tensor.type) {
    case ElementType::u8: return use(read<std::uint8_t>(tensor, index));
    case ElementType::i8: return use(read<std::int8_t>(tensor, index));
    case ElementType::u16: return use(read<std::uint16_t>(tensor, index));
    case ElementType::i16: return use(read<std::int16_t>(tensor, index));
    case ElementType::u32: return use(read<std::uint32_t>(tensor, index));
    case ElementType::i32: return use(read<std::int32_t>(tensor, index));
    case ElementType::u64: return use(read<std::uint64_t>(tensor, index));
    case ElementType::i64: return use(read<std::int64_t>(tensor, index));
    case ElementType::f16: return use(device::float_of_half(read<std::uint16_t>(tensor, index)));
    case ElementType::bf16: return use(device::float_of_bfloat(read<std::uint16_t>(tensor, index)));
    case ElementType::f32: return use(read<float>(tensor, index));
    case ElementType::f64: return use(read<double>(tensor, index));
  }
  throw std::logic_error("a tensor of no type");
}

struct KindName {
  std::string_view operator()(const TensorExhibit&) const { return "tensor"; }
  std::string_view operator()(const GeometryExhibit&) const { return "geometry"; }
  std::string_view operator()(const AccessesExhibit&) const { return "accesses"; }
  std::string_view operator()(const ImageExhibit&) const { return "image"; }
  std::string_view operator()(const SourceExhibit&) const { return "source"; }
  std::string_view operator()(const TimingsExhibit&) const { return "timings"; }
  std::string_view operator()(const CheckExhibit&) const { return "check"; }
  std::string_view operator()(const TextExhibit&) const { return "text"; }
  std::string_view operator()(const SpacesExhibit&) const { return "spaces"; }
  std::string_view operator()(const SectorsExhibit&) const { return "sectors"; }
  std::string_view operator()(const StackExhibit&) const { return "stack"; }
  std::string_view operator()(const CurveExhibit&) const { return "curve"; }
  std::string_view operator()(const RooflineExhibit&) const { return "roofline"; }
  std::string_view operator()(const AlgorithmsExhibit&) const { return "algorithms"; }
  std::string_view operator()(const SlidingWindowExhibit&) const { return "sliding_window"; }
  std::string_view operator()(const ComparisonExhibit&) const { return "comparison"; }
};

}  // namespace

std::optional<std::uint32_t> idle_in(const GeometryExhibit& geometry, std::uint64_t block) {
  const std::uint64_t threads = geometry.block.count(), warps = warps_in(geometry.block);
  if ((block + 1) * warps > geometry.stored.size()) return {};
  const auto first = geometry.stored.begin() + static_cast<std::ptrdiff_t>(block * warps);
  std::uint64_t storing = 0;
  for (auto warp = first; warp != first + static_cast<std::ptrdiff_t>(warps); ++warp)
    storing += static_cast<std::uint64_t>(std::popcount(*warp));
  return static_cast<std::uint32_t>(threads - std::min(storing, threads));
}

std::optional<bool> has_stored(const GeometryExhibit& geometry, std::uint64_t block,
                               std::uint64_t thread) {
  const std::uint64_t warp = block * warps_in(geometry.block) + thread / device::kLanes;
  if (thread >= geometry.block.count() || warp >= geometry.stored.size()) return {};
  return (geometry.stored[warp] >> thread % device::kLanes & 1) != 0;
}

double element(const TensorExhibit& tensor, std::uint64_t index) {
  return with_element(tensor, index, [](auto value) { return static_cast<double>(value); });
}

std::string element_text(const TensorExhibit& tensor, std::uint64_t index) {
  return with_element(tensor, index, [](auto value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      // The shortest digits that give the value back, so that two elements that differ never look the same.
      return std::isfinite(value) ? fmt::format("{}", value) : number(static_cast<double>(value));
    } else {
      return std::to_string(value);
    }
  });
}

std::string element_figure(const TensorExhibit& tensor, std::uint64_t index) {
  return typeset(element_text(tensor, index));
}

std::uint64_t count(const TensorExhibit& tensor) {
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : tensor.shape) {
    if (__builtin_mul_overflow(elements, extent, &elements))
      return std::numeric_limits<std::uint64_t>::max();
  }
  return elements;
}

long double exact_element(const TensorExhibit& tensor, std::uint64_t index) {
  return with_element(tensor, index, [](auto value) { return static_cast<long double>(value); });
}

std::uint64_t held(const TensorExhibit& tensor) {
  return std::min<std::uint64_t>(count(tensor), tensor.data.size() / device::size_of(tensor.type));
}

std::string_view name_of(TensorExhibit::View view) {
  switch (view) {
    case TensorExhibit::View::automatic: return "automatic";
    case TensorExhibit::View::table: return "table";
    case TensorExhibit::View::plot: return "plot";
    case TensorExhibit::View::heat: return "heat";
    case TensorExhibit::View::image: return "image";
  }
  __builtin_unreachable();
}

bool is_wrong(const TensorExhibit& tensor, std::uint64_t index) {
  return std::find(tensor.wrong.begin(), tensor.wrong.end(), index) != tensor.wrong.end();
}

std::string shape_text(const TensorExhibit& tensor) {
  if (tensor.shape.empty()) return std::to_string(held(tensor));
  return fmt::format("{}", fmt::join(tensor.shape, " × "));
}

TensorRange range_of(const TensorExhibit& tensor) {
  TensorRange range;
  long double low = 0, high = 0;
  for (std::uint64_t i = 0; i < held(tensor); ++i) {
    const long double value = exact_element(tensor, i);
    if (!std::isfinite(value)) {
      if (range.not_finite++ == 0) range.first_not_finite = i;
      continue;
    }
    if (!range.any_finite || value < low) {
      low = value;
      range.lowest = i;
    }
    if (!range.any_finite || value > high) {
      high = value;
      range.highest = i;
    }
    range.any_finite = true;
  }
  return range;
}

bool CheckExhibit::passed() const {
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const Item& item) {
    return item.state == State::passed || item.state == State::warning;
  });
}

std::string_view kind_of(const Exhibit& exhibit) { return std::visit(KindName{}, exhibit.value); }

bool body_says_it_all(const Exhibit& exhibit) {
  const auto* text = std::get_if<TextExhibit>(&exhibit.value);
  return text != nullptr && !text->code && !text->text.empty();
}

}  // namespace warpbook::lab
