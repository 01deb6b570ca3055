#include "lab/exhibits/tensor/tensor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using device::ElementType;

static_assert(std::endian::native == std::endian::little,
              "tensors are little-endian, and read as they lie");
static_assert(std::numeric_limits<long double>::digits >= 64,
              "long double must hold every 64-bit integer");

/// IEEE 754 binary16.
float float_of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 0x1f) {
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

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
    case ElementType::f16: return use(float_of_half(read<std::uint16_t>(tensor, index)));
    case ElementType::bf16:
      return use(std::bit_cast<float>(std::uint32_t{read<std::uint16_t>(tensor, index)} << 16));
    case ElementType::f32: return use(read<float>(tensor, index));
    case ElementType::f64: return use(read<double>(tensor, index));
  }
  throw std::logic_error("a tensor of no type");
}

constexpr std::uint64_t kListed = 8;  ///< a tensor of so many elements is read out whole

std::string element_name(const TensorExhibit& tensor, std::uint64_t index) {
  return tensor.name + "[" + std::to_string(index) + "]";
}

std::string values_of(const TensorExhibit& tensor, const Strings& strings) {
  const std::string elements = counted(strings, "count.elements", count(tensor));
  const std::string type(name_of(tensor.type));
  if (held(tensor) <= kListed) {
    std::string values;
    for (std::uint64_t i = 0; i < held(tensor); ++i)
      values += (i ? " " : "") + element_figure(tensor, i);
    return strings(
        "tensor.list",
        {{"name", tensor.name}, {"elements", elements}, {"type", type}, {"values", values}});
  }
  const TensorRange range = range_of(tensor);
  if (!range.any_finite) {
    return strings("tensor.nothing-finite",
                   {{"name", tensor.name}, {"elements", elements}, {"type", type}});
  }
  const std::string low = element_text(tensor, range.lowest),
                    high = element_text(tensor, range.highest);
  const auto all_alike = [&](std::string_view key) {
    return strings(key,
                   {{"name", tensor.name}, {"elements", elements}, {"type", type}, {"value", low}});
  };
  if (low == high && range.not_finite == 0) return all_alike("tensor.same");
  std::string text = low == high ? all_alike("tensor.same-finite")
                                 : strings("tensor.range", {{"name", tensor.name},
                                                            {"elements", elements},
                                                            {"type", type},
                                                            {"low", low},
                                                            {"high", high}});
  if (range.not_finite != 0) {
    text += strings("list.sentences");
    text += strings("tensor.not-finite", {{"count", grouped(range.not_finite)},
                                          {"first", element_name(tensor, range.first_not_finite)}});
  }
  return text;
}

}  // namespace

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

std::string sentence_of(const TensorExhibit& tensor, const Strings& strings) {
  if (count(tensor) == 0) return strings("tensor.empty", {{"name", tensor.name}});
  std::vector<std::string> parts{values_of(tensor, strings)};
  if (!tensor.wrong.empty()) {
    const std::uint64_t first = *std::min_element(tensor.wrong.begin(), tensor.wrong.end());
    const std::string value = first < held(tensor) ? element_text(tensor, first) : "?";
    if (tensor.wrong.size() >= count(tensor) && count(tensor) > 1) {
      parts.push_back(
          strings("tensor.all-wrong", {{"first", element_name(tensor, first)}, {"value", value}}));
    } else {
      parts.push_back(strings("tensor.wrong", {{"count", grouped(tensor.wrong.size())},
                                               {"first", element_name(tensor, first)},
                                               {"value", value}}));
    }
  }
  return sentences(strings, parts);
}

Table table_of(const TensorExhibit& tensor, const Strings& strings) {
  Table table;
  const std::size_t rank = std::max<std::size_t>(1, tensor.shape.size());
  for (std::size_t d = 0; d < rank; ++d)
    table.head.push_back(rank == 1 ? "i" : "i" + std::to_string(d));
  table.head.push_back(tensor.name);
  if (!tensor.wrong.empty()) table.head.push_back(strings("table.wrong"));
  for (std::uint64_t e = 0; e < count(tensor); ++e) {
    std::vector<std::string> row(rank);
    std::uint64_t rest = e;
    for (std::size_t d = rank; d-- > 0;) {
      const std::uint64_t length = d < tensor.shape.size() ? tensor.shape[d] : 1;
      row[d] = std::to_string(rest % length);
      rest /= length;
    }
    row.push_back(element_text(tensor, e));
    if (!tensor.wrong.empty())
      row.emplace_back(std::ranges::find(tensor.wrong, e) == tensor.wrong.end() ? "" : "x");
    table.rows.push_back(std::move(row));
  }
  return table;
}

void compare(const TensorExhibit& a, const TensorExhibit& b, Comparer& comparer) {
  comparer.output(a, b);
}

TensorNumber number_at(const TensorExhibit& tensor, std::uint64_t index) {
  switch (tensor.type) {
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f32:
    case ElementType::f64: return element(tensor, index);
    case ElementType::u64: return static_cast<std::uint64_t>(exact_element(tensor, index));
    default: return static_cast<std::int64_t>(exact_element(tensor, index));
  }
}

void extras(JsonExtras& json, const TensorExhibit& tensor) {
  const std::uint64_t shown = std::min(held(tensor), kMostElementsInJson);
  json("count", [&] { return count(tensor); });
  json("data", [&] {
    std::vector<TensorNumber> numbers;
    for (std::uint64_t i = 0; i < shown; ++i) numbers.push_back(number_at(tensor, i));
    return numbers;
  });
  json("cut", [&] { return shown < count(tensor); });
}

bool valid(const TensorExhibit& v) {
  const std::uint64_t elements = count(v);
  const std::size_t bytes = device::size_of(v.type);
  return v.data.size() % bytes == 0 && v.data.size() / bytes == elements &&
         std::ranges::all_of(v.wrong, [=](std::uint64_t index) { return index < elements; });
}

std::string_view style_of(std::type_identity<TensorExhibit> /*kind*/) {
  return R"css(.wb-tensor td { border-radius: 3px; background: var(--s3); }
)css";
}

}  // namespace warpbook::lab
