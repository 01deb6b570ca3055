// Initial values of variables: nested lists, reals, addresses and single bytes of addresses (PTX
// ISA 9.0, 5.4.4).
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

std::uint64_t as_stored(const Constant& constant, Type type) {
  if (constant.is_real()) {
    return bytes_of(type) == 4 ? float_bits(constant.bits) : constant.bits;
  }
  if (type == Type::f32 || type == Type::f64) {
    const double value = constant.kind == Constant::Kind::signed_integer
                             ? static_cast<double>(static_cast<std::int64_t>(constant.bits))
                             : static_cast<double>(constant.bits);
    return type == Type::f64 ? std::bit_cast<std::uint64_t>(value)
                             : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return constant.bits;
}

bool takes_real(Type type) {
  return type == Type::f32 || type == Type::f64 || type == Type::b32 || type == Type::b64;
}

}  // namespace

void Parser::initialiser(Initial& initial) {
  Variable& variable = initial.variable;
  const std::uint32_t place = scanner_.offset();
  const std::uint32_t width = bytes_of(variable.type);
  if (variable.type == Type::texref || variable.type == Type::samplerref ||
      variable.type == Type::surfref) {
    // 5.3: they describe properties that only a texture unit needs
    scanner_.expect('{', "before the properties");
    while (!scanner_.at_end() && scanner_.peek() != '}') {
      scanner_.skip_token();
    }
    scanner_.expect('}', "after the properties");
    return;
  }
  if (variable.type == Type::pred || (width == 2 && variable.type != Type::b16 &&
                                      variable.type != Type::u16 && variable.type != Type::s16)) {
    scanner_.fail_at(place, "a variable of this type cannot be initialised");
    return;
  }
  if (scanner_.peek() != '{') {
    if (!initial.sizes.empty()) {
      scanner_.fail_expected("'{' before the values of an array");
      return;
    }
    initial_value(initial, 0);
    return;
  }
  if (std::find(initial.strides.begin(), initial.strides.end(), 0) != initial.strides.end()) {
    scanner_.fail_at(place, fmt::format("{} has no elements to initialise", variable.name));
    return;
  }
  initial_list(initial, 0, 0);
  if (initial.total == 0 && !initial.sizes.empty() && initial.sizes[0] == 0 && !scanner_.failed()) {
    const std::uint64_t stride = initial.strides[0];
    const std::uint64_t rows = (initial.reached + stride - 1) / stride;
    variable.bytes = rows * stride * width;
  }
}

void Parser::initial_list(Initial& initial, std::size_t level, std::uint64_t first) {
  const std::uint32_t place = scanner_.offset();
  scanner_.expect('{', "before the values");
  if (level >= std::max<std::size_t>(initial.sizes.size(), 1)) {
    scanner_.fail_at(place, fmt::format("the values of {} are nested deeper than its dimensions",
                                        initial.variable.name));
    return;
  }
  const std::uint64_t stride = initial.sizes.empty() ? 1 : initial.strides[level];
  // a first dimension that was left out takes as many as there are
  const bool open_ended = level == 0 && !initial.sizes.empty() && initial.sizes[0] == 0;
  const std::uint64_t size = initial.sizes.empty() ? 1 : initial.sizes[level] * stride;
  std::uint64_t done = 0;
  while (!scanner_.at_end() && scanner_.peek() != '}') {
    if (!open_ended && done >= size) {
      scanner_.fail(
          fmt::format("there are more values than {} has elements", initial.variable.name));
      return;
    }
    if (scanner_.peek() == '{') {
      done = (done + stride - 1) / stride * stride;
      initial_list(initial, level + 1, first + done);
      done += stride;
    } else {
      initial_value(initial, first + done);
      ++done;
    }
    if (!scanner_.accept(',')) {
      break;
    }
  }
  initial.reached = std::max(initial.reached, first + done);
  scanner_.expect('}', "after the values");
}

std::uint8_t* Parser::initial_bytes(Initial& initial, std::uint64_t element) {
  const std::uint64_t width = bytes_of(initial.variable.type);
  std::vector<std::uint8_t>& bytes = initial.variable.initial;
  const std::uint64_t needed = (element + 1) * width;
  if (needed > bytes.size()) {
    const std::uint64_t added = needed - bytes.size();
    if (added > initial_budget_) {
      scanner_.fail_at(scanner_.offset(),
                       fmt::format("the values of {} lie too far apart", initial.variable.name),
                       ErrorCode::ptx_limit);
      return nullptr;
    }
    initial_budget_ -= added;
    bytes.resize(needed);
  }
  return bytes.data() + element * width;
}

void Parser::initial_value(Initial& initial, std::uint64_t element) {
  const Type type = initial.variable.type;
  const std::uint32_t place = scanner_.offset();
  std::uint8_t* bytes = initial_bytes(initial, element);
  if (bytes == nullptr) {
    return;
  }
  Variable::Address address;
  address.offset = element * bytes_of(type);
  address.bytes = bytes_of(type);
  std::uint64_t value = 0;
  if (begins_name(scanner_.peek()) && !warp_size_here(scanner_)) {
    initial_address(address);
    if (address.bytes < 4) {
      scanner_.fail_at(place, "an address needs a variable of 32 or 64 bits");
    }
  } else {
    const Constant constant = read_constant(scanner_);
    if (constant.is_real() && !takes_real(type)) {
      scanner_.fail_at(place, fmt::format("{} takes integers", initial.variable.name));
    }
    value = as_stored(constant, type);
    const std::uint32_t mask_end = scanner_.offset();
    if (scanner_.accept('(')) {  // mask(address): one byte of it
      needs(mask_end, "masks in initial values");
      const auto shift = static_cast<std::uint32_t>(std::countr_zero(value));
      if (value == 0 || shift % 8 != 0 || value >> shift != 0xff) {
        scanner_.fail_at(place, "the mask of an address must be 0xFF, 0xFF00 and so on");
        return;
      }
      if (begins_constant(scanner_.peek())) {
        value = read_integer(scanner_, "what is masked").bits >> shift & 0xff;
      } else {
        initial_address(address);
        address.byte_of = static_cast<std::uint8_t>(shift / 8);
        value = 0;
      }
      scanner_.expect(')', "after what is masked");
    }
  }
  if (!address.symbol.empty()) {
    initial.variable.addresses.push_back(address);
  }
  std::memcpy(bytes, &value, std::min<std::size_t>(bytes_of(type), sizeof value));
}

/// name, generic(name), generic(name + 4) + 4 and their like.
void Parser::initial_address(Variable::Address& address) {
  const auto addend = [&] {
    while (scanner_.peek() == '+' || scanner_.peek() == '-') {
      const bool minus = scanner_.peek() == '-';
      scanner_.take(1);
      const std::uint64_t value = read_integer(scanner_, "an offset").bits;
      address.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(address.addend) +
                                                 (minus ? 0 - value : value));
    }
  };
  address.symbol = scanner_.expect_name("the name of a variable or function");
  const std::uint32_t behind = scanner_.offset();
  if (address.symbol == "generic" && scanner_.accept('(')) {
    needs(behind, "generic() in initial values");
    address.generic = true;
    address.symbol = scanner_.expect_name("the name of a variable");
    addend();
    scanner_.expect(')', "after the name");
  }
  addend();
  if (!address.symbol.empty()) {
    mentioned_.push_back(address.symbol);
  }
}

}  // namespace warpbook::device::ptx
