#include "lab/launch/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "device/launch_check.hpp"
#include "device/platform.hpp"

namespace warpbook::lab {
namespace {

using device::ElementType;
using device::Expected;

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// The bits of `value` in a format of 1 sign bit, then the exponent, then `mantissa` bits; to
/// nearest, ties to even.
std::uint16_t narrow_float(double value, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
  if (std::isnan(value)) return 0x7fff;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | infinity;
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = [0.5, 1) x 2^exponent
  const int scale = std::max(exponent - 1, 1 - bias);
  // Units of the last place at that scale; a carry out of the mantissa runs into the exponent, as
  // it should.
  const double units = std::nearbyint(std::ldexp(magnitude, mantissa_bits - scale));
  const auto whole = static_cast<std::uint64_t>(units) +
                     (static_cast<std::uint64_t>(scale + bias - 1) << mantissa_bits);
  return whole >= infinity ? sign | infinity : static_cast<std::uint16_t>(sign | whole);
}

template <class T>
Expected<std::vector<std::byte>> parse_integer(std::string_view text, ElementType type) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || end != digits.data() + digits.size() ||
      error == std::errc::invalid_argument) {
    return refused(
        text,
        device::Message{"phrase.why.no-whole-number", {{"type", std::string(name_of(type))}}, {}});
  }
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::uint64_t most_negative = std::is_signed_v<T> ? most + 1 : 0;
  if (error != std::errc{} || magnitude > (negative ? most_negative : most)) {
    return refused(text, device::Message{"phrase.why.range",
                                         {{"type", std::string(name_of(type))},
                                          {"least", std::numeric_limits<T>::min()},
                                          {"most", std::numeric_limits<T>::max()}},
                                         {}});
  }
  return bytes_of(static_cast<T>(negative ? 0 - magnitude : magnitude));
}

template <class T>
Expected<T> parse_real(std::string_view text, ElementType type) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    return refused(
        text, device::Message{"phrase.why.no-number", {{"type", std::string(name_of(type))}}, {}});
  }
  if (error != std::errc{})
    return refused(text,
                   device::Message{"phrase.why.reach", {{"type", std::string(name_of(type))}}, {}});
  return value;
}

Expected<std::uint64_t> parse_bytes(std::string_view text, std::string_view digits) {
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    return refused(text, device::Message{"phrase.why.bytes", {}, {}});
  }
  return bytes;
}

/// The elements that a parameter declared so points to: one f32 for "float const*", four for "float4*"; bytes where nothing
/// says more.
struct Pointee {
  ElementType type = ElementType::u8;
  std::uint64_t elements = 1;
};
Pointee pointee_of(std::string_view declared) {
  if (!declared.ends_with('*')) return {};
  declared.remove_suffix(1);
  for (const std::string_view qualifier : {" const", " volatile"}) {
    if (declared.ends_with(qualifier)) declared.remove_suffix(qualifier.size());
  }
  struct Spelling {
    std::string_view name;
    ElementType type;
  };
  static constexpr Spelling kSpellings[] = {
      {"float", ElementType::f32},        {"double", ElementType::f64},
      {"__half", ElementType::f16},       {"__nv_bfloat16", ElementType::bf16},
      {"int", ElementType::i32},          {"unsigned int", ElementType::u32},
      {"short", ElementType::i16},        {"unsigned short", ElementType::u16},
      {"char", ElementType::i8},          {"signed char", ElementType::i8},
      {"unsigned char", ElementType::u8}, {"bool", ElementType::u8},
      {"long", ElementType::i64},         {"unsigned long", ElementType::u64},
      {"long long", ElementType::i64},    {"unsigned long long", ElementType::u64},
  };
  for (const Spelling& s : kSpellings) {
    if (s.name == declared) return {s.type, 1};
  }
  static constexpr Spelling kVectors[] = {
      {"float", ElementType::f32}, {"double", ElementType::f64}, {"int", ElementType::i32},
      {"uint", ElementType::u32},  {"uchar", ElementType::u8},   {"ushort", ElementType::u16}};
  for (const Spelling& s : kVectors) {
    const std::string_view lanes =
        declared.starts_with(s.name) ? declared.substr(s.name.size()) : "";
    if (lanes.size() == 1 && lanes[0] >= '1' && lanes[0] <= '4')
      return {s.type, static_cast<std::uint64_t>(lanes[0] - '0')};
  }
  return {};
}

constexpr std::uint64_t kMostFilled = 1u << 26;  ///< elements; their values are made on the host

Expected<std::uint64_t> parse_count(std::string_view text, std::string_view digits) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error == std::errc{} && end == digits.data() + digits.size() && count <= kMostFilled)
    return count;
  return refused(text, device::Message{"phrase.why.count", {{"most", kMostFilled}}, {}});
}

bool parse_filling(std::string_view form, LaunchArgument::Filling& filling) {
  using Filling = LaunchArgument::Filling;
  static constexpr std::pair<std::string_view, Filling> kForms[] = {
      {"zeros", Filling::zeros}, {"ramp", Filling::ramp}, {"random", Filling::random}};
  const auto found = std::ranges::find(kForms, form, &std::pair<std::string_view, Filling>::first);
  if (found == std::end(kForms)) return false;
  filling = found->second;
  return true;
}

bool is_real(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 ||
         type == ElementType::f64;
}

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// Writes one element; whole numbers wrap as C's unsigned ones do.
void put_element(std::byte* at, ElementType type, double value) {
  const auto whole = [&] { return static_cast<std::uint64_t>(value); };
  switch (type) {
    case ElementType::f16: return put(at, narrow_float(value, 5, 10));
    case ElementType::bf16: return put(at, narrow_float(value, 8, 7));
    case ElementType::f32: return put(at, static_cast<float>(value));
    case ElementType::f64: return put(at, value);
    case ElementType::u8:
    case ElementType::i8: return put(at, static_cast<std::uint8_t>(whole()));
    case ElementType::u16:
    case ElementType::i16: return put(at, static_cast<std::uint16_t>(whole()));
    case ElementType::u32:
    case ElementType::i32: return put(at, static_cast<std::uint32_t>(whole()));
    case ElementType::u64:
    case ElementType::i64: return put(at, whole());
  }
}

std::vector<std::byte> filled_with(LaunchArgument::Filling filling, ElementType type,
                                   std::uint64_t count) {
  const std::size_t each = device::size_of(type);
  std::vector<std::byte> bytes(count * each);
  if (filling == LaunchArgument::Filling::zeros) return bytes;
  constexpr std::uint32_t kSteps = 1u << 20, kWhole = 100;
  std::mt19937 random;  // of its usual seed: the same numbers in every run
  for (std::uint64_t i = 0; i < count; ++i) {
    double value = static_cast<double>(i);
    if (filling == LaunchArgument::Filling::random)
      value = is_real(type) ? static_cast<double>(random() % kSteps) / kSteps
                            : static_cast<double>(random() % kWhole);
    put_element(&bytes[i * each], type, value);
  }
  return bytes;
}

}  // namespace

Expected<std::vector<std::byte>> parse_scalar(std::string_view text, ElementType type) {
  switch (type) {
    case ElementType::u8: return parse_integer<std::uint8_t>(text, type);
    case ElementType::i8: return parse_integer<std::int8_t>(text, type);
    case ElementType::u16: return parse_integer<std::uint16_t>(text, type);
    case ElementType::i16: return parse_integer<std::int16_t>(text, type);
    case ElementType::u32: return parse_integer<std::uint32_t>(text, type);
    case ElementType::i32: return parse_integer<std::int32_t>(text, type);
    case ElementType::u64: return parse_integer<std::uint64_t>(text, type);
    case ElementType::i64: return parse_integer<std::int64_t>(text, type);
    case ElementType::f32: return parse_real<float>(text, type).map(bytes_of<float>);
    case ElementType::f64: return parse_real<double>(text, type).map(bytes_of<double>);
    case ElementType::f16:
      return parse_real<double>(text, type).map([](double v) {
        return bytes_of(narrow_float(v, 5, 10));
      });
    case ElementType::bf16:
      return parse_real<double>(text, type).map([](double v) {
        return bytes_of(narrow_float(v, 8, 7));
      });
  }
  return refused(text, device::Message{"phrase.why.argument-forms", {}, {}});
}

Expected<LaunchArgument> parse_argument(std::string_view text) {
  LaunchArgument a;
  a.text = text;
  if (text == "null") {
    a.kind = LaunchArgument::Kind::null;
    return a;
  }
  if (is_texture_argument(text)) {
    auto texture = parse_texture_argument(text);
    if (!texture) return tl::unexpected(texture.error());
    a.kind = LaunchArgument::Kind::texture;
    a.texture = std::move(*texture);
    return a;
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) {
    a.kind = LaunchArgument::Kind::untyped;
    a.value = text;
    if (const auto number = parse_real<double>(text, ElementType::f64);
        !number && !text.starts_with("0x")) {
      return refused(text, device::Message{"phrase.why.argument-forms", {}, {}});
    }
    return a;
  }
  const std::string_view form = text.substr(0, colon), rest = text.substr(colon + 1);
  if (device::parse_element_type(form, a.type)) {
    a.value = rest;
    if (auto bytes = parse_scalar(rest, a.type); !bytes)
      return refused(text, bytes.error().arguments.back().value);
    return a;
  }
  if (rest.empty()) return refused(text, device::Message{"phrase.why.argument-forms", {}, {}});
  const auto equals = rest.find('=');
  const std::string first(rest.substr(0, equals));
  const std::string second(equals == std::string_view::npos ? "" : rest.substr(equals + 1));
  if (equals != std::string_view::npos && second.empty())
    return refused(text, device::Message{"phrase.why.no-file-after", {}, {}});
  a.kind = LaunchArgument::Kind::buffer;
  if (parse_filling(form, a.filling)) {
    const auto count = parse_count(text, rest);
    if (!count) return tl::unexpected(count.error());
    a.kind = LaunchArgument::Kind::filled;
    a.count = *count;
  } else if (form == "bytes") {
    a.kind = LaunchArgument::Kind::structure;
    a.read_from = rest;
  } else if (form == "in") {
    a.read_from = rest;
  } else if (form == "inout") {
    a.read_from = first;
    a.in_place = second.empty();
    a.written_to = second.empty() ? first : second;
  } else if (form == "out") {
    const auto bytes = parse_bytes(text, first);
    if (!bytes) return tl::unexpected(bytes.error());
    a.bytes = *bytes;
    a.written_to = second;
  } else {
    return refused(text, device::Message{"phrase.why.argument-forms", {}, {}});
  }
  return a;
}

Expected<BoundArguments> BoundArguments::bind(device::Device& device,
                                              const device::KernelInfo& kernel,
                                              const std::vector<LaunchArgument>& arguments,
                                              std::span<const std::string> names) {
  BoundArguments bound;
  const auto allocate = [&](const std::string& name, ElementType type, std::uint64_t bytes,
                            const LaunchArgument& a) -> Expected<device::Pointer> {
    const auto address = device.allocate(name, type, bytes / device::size_of(type));
    if (!address) return tl::unexpected(address.error());
    bound.buffers_.push_back({bound.values_.size(),
                              device::Buffer(device, {name, *address, bytes, type}), a.written_to,
                              a.in_place});
    bound.values_.push_back(device::Argument::pointer(*address));
    return *address;
  };
  if (arguments.size() != kernel.parameters.size()) {
    const auto counted =
        device::check_arguments(kernel, std::vector<device::Argument>(arguments.size()));
    return tl::unexpected(counted.error());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& a = arguments[i];
    const device::ParameterInfo& parameter = kernel.parameters[i];
    const std::string name = i < names.size() ? names[i] : fmt::format("arg{}", i + 1);
    switch (a.kind) {
      case LaunchArgument::Kind::null:
        bound.values_.push_back(device::Argument::pointer(0));
        continue;
      case LaunchArgument::Kind::scalar:
      case LaunchArgument::Kind::untyped: {
        const bool typed = a.kind == LaunchArgument::Kind::scalar;
        const auto wanted = device::class_of(parameter);
        const bool takes_number = wanted != device::ParameterClass::pointer &&
                                  wanted != device::ParameterClass::structure;
        if (!typed && !takes_number) {
          return tl::unexpected(
              device::wrong_argument(kernel, i, fmt::format("the number {}", a.value)));
        }
        const ElementType type = typed ? a.type : device::natural_type(parameter);
        auto bytes = parse_scalar(a.value, type);
        if (!bytes) return tl::unexpected(bytes.error());
        bound.values_.push_back({device::Argument::Kind::scalar, type, std::move(*bytes)});
        continue;
      }
      case LaunchArgument::Kind::structure: {
        const auto content = device::read_file(a.read_from);
        if (!content) return tl::unexpected(content.error());
        const auto bytes = std::as_bytes(std::span(*content));
        bound.values_.push_back(device::Argument::structure({bytes.begin(), bytes.end()}));
        continue;
      }
      case LaunchArgument::Kind::texture: {
        auto texture = bind_texture(device, a.texture, name);
        if (!texture) return tl::unexpected(texture.error());
        bound.values_.push_back(device::Argument::of(texture->handle));
        bound.textures_.push_back(std::move(*texture));
        continue;
      }
      case LaunchArgument::Kind::filled: {
        const Pointee pointee = pointee_of(parameter.declared);
        const auto values = filled_with(a.filling, pointee.type, a.count * pointee.elements);
        const auto address = allocate(name, pointee.type, values.size(), a);
        if (!address) return tl::unexpected(address.error());
        const auto copied = device.copy_in(*address, values);
        if (const auto& done = copied.wait(); !done) return tl::unexpected(done.error());
        continue;
      }
      case LaunchArgument::Kind::buffer: break;
    }
    Expected<std::string> content = std::string();
    if (!a.read_from.empty()) content = device::read_file(a.read_from, std::uint64_t{8} << 30);
    if (!content) return tl::unexpected(content.error());
    const std::uint64_t bytes = a.read_from.empty() ? a.bytes : content->size();
    ElementType type = pointee_of(parameter.declared).type;
    if (bytes % device::size_of(type) != 0) type = ElementType::u8;
    const auto address = allocate(name, type, bytes, a);
    if (!address) return tl::unexpected(address.error());
    const auto filled = a.read_from.empty()
                            ? device.fill(*address, std::byte{0}, bytes)
                            : device.copy_in(*address, std::as_bytes(std::span(*content)));
    if (const auto& done = filled.wait(); !done) return tl::unexpected(done.error());
  }
  return bound;
}

const device::Buffer* BoundArguments::buffer_of(std::size_t argument) const {
  const auto found = std::ranges::find(buffers_, argument, &BoundBuffer::argument);
  return found == buffers_.end() ? nullptr : &found->buffer;
}

Expected<device::Done> BoundArguments::write_files(device::Device& device, bool failed) const {
  for (const BoundBuffer& b : buffers_) {
    if (b.file.empty() || (failed && b.in_place)) continue;
    std::string content(b.buffer.bytes(), '\0');
    const auto copied =
        device.copy_out(std::as_writable_bytes(std::span(content)), b.buffer.address());
    if (const auto& done = copied.wait(); !done) return tl::unexpected(done.error());
    if (auto written = device::write_file_atomically(b.file, content); !written)
      return tl::unexpected(written.error());
  }
  for (const BoundTexture& t : textures_) {
    if (t.file.empty()) continue;
    std::string content(t.bytes, '\0');
    const auto copied = device.copy_out_array(std::as_writable_bytes(std::span(content)), t.array);
    if (const auto& done = copied.wait(); !done) return tl::unexpected(done.error());
    if (auto written = device::write_file_atomically(t.file, content); !written)
      return tl::unexpected(written.error());
  }
  return device::Done{};
}

}  // namespace warpbook::lab
