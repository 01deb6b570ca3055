#include "lab/operation/kernel_inputs.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace warpbook::lab {
namespace {

using device::ElementType;
using OperationParameter = Operation::Parameter;

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the same everywhere, which
/// the standard library's distributions are not.
class Random {
 public:
  explicit Random(std::string_view seed) {
    for (const char c : seed) state_ = state_ * 1099511628211ull + static_cast<unsigned char>(c);
  }
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In (0, 1].
  double uniform() { return (static_cast<double>(bits() >> 11) + 1) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % (static_cast<std::uint64_t>(high - low) + 1));
  }

 private:
  std::uint64_t state_ = 14695981039346656037ull;
};

bool is_real(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

template <class T>
double put(std::byte* to, double value) {
  const T typed = static_cast<T>(value);
  __builtin_memcpy(to, &typed, sizeof typed);
  return static_cast<double>(typed);
}

/// Stores a number as the type, and gives back what was stored.
double store(ElementType type, std::byte* to, double value) {
  switch (type) {
    case ElementType::u8: return put<std::uint8_t>(to, value);
    case ElementType::i8: return put<std::int8_t>(to, value);
    case ElementType::u16: return put<std::uint16_t>(to, value);
    case ElementType::i16: return put<std::int16_t>(to, value);
    case ElementType::u32: return put<std::uint32_t>(to, value);
    case ElementType::i32: return put<std::int32_t>(to, value);
    case ElementType::u64: return put<std::uint64_t>(to, value);
    case ElementType::i64: return put<std::int64_t>(to, value);
    case ElementType::f32: return put<float>(to, value);
    case ElementType::f64: return put<double>(to, value);
    case ElementType::f16:
    case ElementType::bf16: break;
  }
  throw std::logic_error("inputs of 16-bit floating point are not made yet");
}

std::int64_t bound(const std::string& expression, const OperationCase& size,
                   const std::string& file) {
  auto value = evaluate(expression, size.scalars);
  if (value) return *value;
  device::Error error = value.error();
  error.place.file = file;
  throw ExperimentFailed{std::move(error), {}};
}

}  // namespace

std::string_view name_of(InputKind kind) {
  switch (kind) {
    case InputKind::integers: return "integers";
    case InputKind::normal: return "normal";
    case InputKind::edges: return "edges";
  }
  return "normal";
}

MadeInputs make_inputs(const Operation& operation, const OperationCase& size, InputKind kind) {
  const std::string file = "kernels/" + operation.name + "/operation.toml";
  MadeInputs made;
  made.given.integers = size.scalars;
  made.given.reals = size.real_scalars;
  for (const OperationParameter& parameter : operation.parameters) {
    if (parameter.kind != OperationParameter::Kind::input) continue;
    std::uint64_t count = 1;
    for (const std::uint64_t extent :
         shape_of(parameter.shape, parameter.type, size.scalars, parameter.name, file))
      count *= extent;
    const std::int64_t low = bound(parameter.lowest, size, file);
    const std::int64_t high = std::max(low, bound(parameter.highest, size, file));
    Random random(operation.name + "." + parameter.name + "." + std::string(name_of(kind)));
    const bool whole = kind == InputKind::integers || !is_real(parameter.type);
    const std::size_t width = device::size_of(parameter.type);
    std::vector<std::byte> bytes(count * width);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      double value = whole ? static_cast<double>(random.between(low, high)) : random.normal();
      if (kind == InputKind::edges && i < 4 * parameter.edges.size())
        value = parameter.edges[i % parameter.edges.size()];
      values[i] = store(parameter.type, bytes.data() + i * width, value);
    }
    made.bytes[parameter.name] = std::move(bytes);
    made.given.inputs[parameter.name] = std::move(values);
  }
  return made;
}

}  // namespace warpbook::lab
