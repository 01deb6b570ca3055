#include "device/simulator/ptx/module.hpp"

#include <bit>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {

std::uint32_t bytes_of(Type type) {
  switch (type) {
    case Type::none: return 0;
    case Type::pred:
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2: return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2: return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::tf32:
    case Type::f32: return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::texref:
    case Type::samplerref:
    case Type::surfref: return 8;
    case Type::b128: return 16;
  }
  return 0;
}

Type type_of(Word word) {
  switch (word) {
    case Word::pred: return Type::pred;
    case Word::b8: return Type::b8;
    case Word::b16: return Type::b16;
    case Word::b32: return Type::b32;
    case Word::b64: return Type::b64;
    case Word::b128: return Type::b128;
    case Word::u8: return Type::u8;
    case Word::u16: return Type::u16;
    case Word::u32: return Type::u32;
    case Word::u64: return Type::u64;
    case Word::s8: return Type::s8;
    case Word::s16: return Type::s16;
    case Word::s32: return Type::s32;
    case Word::s64: return Type::s64;
    case Word::f16: return Type::f16;
    case Word::f16x2: return Type::f16x2;
    case Word::bf16: return Type::bf16;
    case Word::bf16x2: return Type::bf16x2;
    case Word::tf32: return Type::tf32;
    case Word::f32: return Type::f32;
    case Word::f64: return Type::f64;
    case Word::e4m3: return Type::e4m3;
    case Word::e5m2: return Type::e5m2;
    case Word::e4m3x2: return Type::e4m3x2;
    case Word::e5m2x2: return Type::e5m2x2;
    case Word::texref: return Type::texref;
    case Word::samplerref: return Type::samplerref;
    case Word::surfref: return Type::surfref;
    default: return Type::none;
  }
}

std::uint32_t float_bits(std::uint64_t double_bits) {
  constexpr std::uint64_t kExponent = std::uint64_t{0x7ff} << 52;
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  if ((double_bits & kExponent) == kExponent && (double_bits & kFraction) != 0) {
    const auto sign = static_cast<std::uint32_t>(double_bits >> 63) << 31;
    const auto payload = static_cast<std::uint32_t>((double_bits & kFraction) >> 29);
    // a payload that is entirely in the low bits must not become infinity
    return sign | 0x7f800000u | (payload != 0 ? payload : 0x400000u);
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(double_bits)));
}

Expected<Module> parse(std::string text, std::string_view file_name) {
  // The parsed form of a text can be 50 times its size. A NUL can only be in a binary file, and would
  // end the scanner's loops.
  constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
  if (text.size() >= kMaxBytes) {
    return failure(ErrorCode::ptx_limit, {{"why", syntax("text-size")}}, {std::string(file_name)});
  }
  if (text.find('\0') != std::string::npos) {
    return failure(ErrorCode::not_text, {{"file", std::string(file_name)}},
                   {std::string(file_name)});
  }
  Module module;
  module.text = std::make_unique<const std::string>(std::move(text));
  // About what compilers emit, so that a large module is not copied again and again as it grows.
  module.operands.reserve(module.text->size() / 20);
  module.modifiers.reserve(module.text->size() / 20);
  Parser parser(module, file_name);
  if (!parser.run()) {
    return tl::unexpected(parser.error());
  }
  return module;
}

}  // namespace warpbook::device::ptx
