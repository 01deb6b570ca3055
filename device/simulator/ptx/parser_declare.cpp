// Declarations: state spaces, types, dimensions, registers, parameters (PTX ISA 9.0, 5.4), and the initial values of
// variables: nested lists, reals, addresses and single bytes of addresses (5.4.4).
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 60;
constexpr std::size_t kMaxDimensions = 16;

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

bool Parser::state_space_of(Word word, StateSpace& space) {
  switch (word) {
    case Word::reg: space = StateSpace::reg; return true;
    case Word::sreg: space = StateSpace::sreg; return true;
    case Word::const_: space = StateSpace::constant; return true;
    case Word::global: space = StateSpace::global; return true;
    case Word::local: space = StateSpace::local; return true;
    case Word::param: space = StateSpace::param; return true;
    case Word::shared: space = StateSpace::shared; return true;
    default: return false;
  }
}

std::uint32_t Parser::alignment() {
  const std::uint32_t place = scanner_.offset();
  const auto bytes =
      static_cast<std::uint32_t>(read_count(scanner_, "an-alignment", std::uint64_t{1} << 30));
  if (!std::has_single_bit(bytes)) {
    scanner_.fail_at(place, syntax("alignment"));
    return 1;
  }
  return bytes;
}

void Parser::attributes(Declaration& declaration) {
  needs(scanner_.offset(), ".attribute");
  scanner_.expect('(', "after-attribute");
  do {
    const std::uint32_t place = scanner_.offset();
    const Word word = scanner_.peek() == '.' ? find_word(scanner_.dotted()) : Word::unknown;
    if (word == Word::managed) {
      declaration.managed = true;
    } else if (word == Word::unified) {
      needs(place, ".attribute(.unified)");
      if (scanner_.accept('(')) {
        read_integer(scanner_, "an-identifier-of-unified");
        scanner_.expect(',', "between-the-identifiers-of-unified");
        read_integer(scanner_, "an-identifier-of-unified");
        scanner_.expect(')', "after-the-identifiers-of-unified");
      }
    } else {
      scanner_.fail_at(place, syntax("attribute"));
    }
  } while (scanner_.accept(','));
  scanner_.expect(')', "after-the-attributes");
}

Parser::Declaration Parser::declaration(StateSpace space, Linkage linkage) {
  Declaration result;
  result.space = space;
  result.linkage = linkage;
  const std::uint32_t place_of_bank = scanner_.offset();
  if (space == StateSpace::constant && scanner_.accept('[')) {
    needs(place_of_bank, "numbered-constant-banks");
    read_count(scanner_, "the-number-of-a-constant-bank", 10);
    scanner_.expect(']', "after-the-number-of-the-constant-bank");
  }
  bool pointed_to = false;  // what follows .ptr is said of the memory that the parameter points to
  while (scanner_.peek() == '.') {
    const std::uint32_t place = scanner_.offset();
    const std::string_view text = scanner_.dotted();
    const Word word = find_word(text);
    StateSpace pointed_space{};
    if (word == Word::align) {
      const std::uint32_t bytes = alignment();
      result.alignment = pointed_to ? result.alignment : bytes;
    } else if (word == Word::v2 || word == Word::v4) {
      result.lanes = word == Word::v2 ? 2 : 4;
    } else if (word == Word::attribute) {
      attributes(result);
    } else if (word == Word::ptr) {
      needs(place, ".ptr");
      pointed_to = true;
    } else if (type_of(word) != Type::none) {
      result.type = pointed_to ? result.type : type_of(word);  // .ptr .texref
      features_of_type(result.type, place);
    } else if (!pointed_to || !state_space_of(word, pointed_space)) {
      if (!scanner_.failed()) {
        scanner_.fail_at(place, syntax("expected", {{"what", what_message("a-type")},
                                                    {"found", "." + std::string(text)}}));
      }
      return result;
    }
  }
  if (result.type == Type::none) {
    scanner_.fail_expected(what_message("a-type"));
  }
  return result;
}

void Parser::features_of_type(Type type, std::uint32_t place) {
  if (type == Type::b128) needs(place, "type-b128");
  if (type == Type::f16x2) needs(place, "type-f16x2");
  if (type == Type::texref || type == Type::samplerref || type == Type::surfref) {
    needs(place, "opaque-types");
  }
}

void Parser::declare_all(const Declaration& declaration, bool in_function) {
  do {
    const std::uint32_t place = scanner_.offset();
    const std::string_view name = scanner_.expect_name("a-name-to-declare");
    if (scanner_.failed()) {
      return;
    }
    if (declaration.space == StateSpace::reg) {
      declare_register(declaration, name);
      continue;
    }
    const bool of_device =
        declaration.space == StateSpace::global || declaration.space == StateSpace::constant;
    const bool in_module = !in_function || of_device;
    Variable made = variable(declaration, name, of_device);
    const auto index =
        static_cast<std::uint32_t>((in_module ? module_.variables : function_.variables).size());
    if (!in_function) {
      add_module_variable(std::move(made));
    } else if (declaration.space == StateSpace::param && parameters_in_body()) {
      const auto number = static_cast<std::uint32_t>(function_.parameters.size());
      if (!names_.declare(name, kParameter, number)) {
        scanner_.fail_at(place, syntax("declared-twice", {{"name", std::string(name)}}));
      }
      function_.parameters.push_back(std::move(made));
    } else if (!names_.declare(name, in_module ? kModuleVariable : kVariable, index)) {
      scanner_.fail_at(place, syntax("declared-twice", {{"name", std::string(name)}}));
    } else {
      if (in_module) {  // one of the module's that only this function can name; its own
                        // initialisers may
        module_.variable_by_name.try_emplace(name, index);
      }
      (in_module ? module_.variables : function_.variables).push_back(std::move(made));
    }
  } while (scanner_.accept(','));
  scanner_.expect(';', "after-the-declaration");
}

/// Until PTX 1.3 a kernel declared its parameters in its body (PTX ISA 9.0, 11.2.1).
bool Parser::parameters_in_body() const {
  return function_.entry && module_.version_major == 1 && module_.version_minor <= 3;
}

std::uint32_t Parser::add_register(std::string_view name, Type type, std::uint8_t lanes) {
  function_.registers.push_back({name, type, lanes});
  return static_cast<std::uint32_t>(function_.registers.size() - 1);
}

void Parser::declare_register(const Declaration& declaration, std::string_view name) {
  const std::uint32_t place = place_of(name);
  const auto lanes = static_cast<std::uint8_t>(declaration.lanes);
  if (lanes * bytes_of(declaration.type) > 16 || (lanes > 1 && declaration.type == Type::pred)) {
    scanner_.fail_at(place, syntax("wide-vector"));
    return;
  }
  bool added = false;
  if (scanner_.accept('<')) {
    // In an expression > would compare.
    const std::uint64_t count = read_plain_count(scanner_, "the-number-of-registers", 0xffffffff);
    scanner_.expect('>', "after-the-number-of-registers");
    added = ranges_.declare(name, kRange, static_cast<std::uint32_t>(range_list_.size()));
    range_list_.push_back({count, declaration.type, lanes});
    ++ranges_by_depth_.back();
  } else {
    added = names_.declare(name, kRegister, add_register(name, declaration.type, lanes));
  }
  if (!added) {
    scanner_.fail_at(place, syntax("declared-twice", {{"name", std::string(name)}}));
  }
}

Variable Parser::variable(const Declaration& declaration, std::string_view name,
                          bool may_initialise) {
  Variable result;
  result.name = name;
  result.space = declaration.space;
  result.type = declaration.type;
  result.managed = declaration.managed;
  result.external = declaration.linkage.external;
  result.visible = declaration.linkage.visible;
  result.weak = declaration.linkage.weak;
  const std::uint64_t element = std::uint64_t{bytes_of(declaration.type)} * declaration.lanes;
  result.alignment =
      declaration.alignment != 0 ? declaration.alignment : static_cast<std::uint32_t>(element);
  Initial initial{result, {}, {}};
  dimensions(result, initial, declaration.lanes);
  const std::uint32_t place = scanner_.offset();
  if (scanner_.accept('=')) {
    if (!may_initialise) {
      scanner_.fail_at(place, syntax("initialised-space"));
    }
    initialiser(initial);
  }
  return result;
}

/// Fills in the variable's size; a vector is one more dimension.
void Parser::dimensions(Variable& variable, Initial& initial, std::uint64_t lanes) {
  while (scanner_.peek() == '[') {
    const std::uint32_t place = scanner_.offset();
    scanner_.take(1);
    variable.array = true;
    if (initial.sizes.size() == kMaxDimensions) {
      scanner_.fail_at(place, syntax("dimensions", {{"most", kMaxDimensions}}));
      return;
    }
    if (scanner_.peek() != ']') {
      initial.sizes.push_back(read_count(scanner_, "the-size-of-an-array", kMaxBytes));
    } else if (initial.sizes.empty()) {
      initial.sizes.push_back(0);
    } else {
      scanner_.fail_at(place, syntax("open-dimension"));
    }
    scanner_.expect(']', "after-the-size-of-an-array");
  }
  const std::uint32_t place = scanner_.end_of_last();
  if (lanes > 1) {
    initial.sizes.push_back(lanes);
  }
  initial.strides.assign(initial.sizes.size(), 1);
  std::uint64_t stride = 1;
  for (std::size_t i = initial.sizes.size(); i-- > 0;) {
    initial.strides[i] = stride;
    const std::uint64_t most = kMaxBytes / bytes_of(variable.type);
    if (initial.sizes[i] != 0 && stride > most / initial.sizes[i]) {
      scanner_.fail_at(place, syntax("too-large", {{"name", std::string(variable.name)}}),
                       ErrorCode::ptx_limit);
      return;
    }
    stride *= initial.sizes[i];
  }
  initial.total = stride;
  variable.bytes = stride * bytes_of(variable.type);
}

void Parser::add_module_variable(Variable&& variable) {
  const std::string_view name = variable.name;
  const auto index = static_cast<std::uint32_t>(module_.variables.size());
  const auto [entry, added] = module_.variable_by_name.try_emplace(name, index);
  if (added) {
    if (!names_.declare(name, kModuleVariable, index)) {
      scanner_.fail_at(place_of(name), syntax("name-of-function", {{"name", std::string(name)}}));
    }
    module_.variables.push_back(std::move(variable));
    return;
  }
  Variable& known = module_.variables[entry->second];
  if (known.external) {
    known = std::move(variable);
  } else if (!variable.external && !variable.weak) {
    scanner_.fail_at(place_of(name), syntax("declared-twice", {{"name", std::string(name)}}));
  }
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> result;
  scanner_.expect('(', "before-the-parameters");
  if (scanner_.accept(')')) {
    return result;
  }
  do {
    const std::uint32_t place = scanner_.offset();
    StateSpace space{};
    const bool spaced =
        scanner_.peek() == '.' && state_space_of(find_word(scanner_.dotted()), space);
    if (!spaced || (space != StateSpace::param && space != StateSpace::reg)) {
      scanner_.fail_at(place, syntax("parameter-space"));
      break;
    }
    const Declaration declared = declaration(space, {});
    const std::string_view name = scanner_.expect_name("the-name-of-a-parameter");
    if (scanner_.failed()) {
      break;
    }
    result.push_back(variable(declared, name, false));
  } while (scanner_.accept(','));
  scanner_.expect(')', "after-the-parameters");
  return result;
}

void Parser::bind_parameters(std::vector<Variable>& parameters, Kind kind) {
  for (std::uint32_t i = 0; i < parameters.size(); ++i) {
    Variable& parameter = parameters[i];
    const bool in_register = parameter.space == StateSpace::reg;
    if (in_register) {
      const std::uint64_t lanes = parameter.bytes / bytes_of(parameter.type);
      if (parameter.array || lanes * bytes_of(parameter.type) > 16) {
        scanner_.fail_at(place_of(parameter.name), syntax("wide-register"));
      }
      parameter.reg =
          add_register(parameter.name, parameter.type, static_cast<std::uint8_t>(lanes));
    }
    if (!names_.declare(parameter.name, in_register ? kRegister : kind,
                        in_register ? parameter.reg : i)) {
      scanner_.fail_at(place_of(parameter.name),
                       syntax("declared-twice", {{"name", std::string(parameter.name)}}));
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Initial values

void Parser::initialiser(Initial& initial) {
  Variable& variable = initial.variable;
  const std::uint32_t place = scanner_.offset();
  const std::uint32_t width = bytes_of(variable.type);
  if (variable.type == Type::texref || variable.type == Type::samplerref ||
      variable.type == Type::surfref) {
    // 5.3: they describe properties that only a texture unit needs
    scanner_.expect('{', "before-the-properties");
    while (!scanner_.at_end() && scanner_.peek() != '}') {
      scanner_.skip_token();
    }
    scanner_.expect('}', "after-the-properties");
    return;
  }
  if (variable.type == Type::pred || (width == 2 && variable.type != Type::b16 &&
                                      variable.type != Type::u16 && variable.type != Type::s16)) {
    scanner_.fail_at(place, syntax("initialised-type"));
    return;
  }
  if (scanner_.peek() != '{') {
    if (!initial.sizes.empty()) {
      scanner_.fail_expected(expectation("array-values", {{"sign", "'{'"}}));
      return;
    }
    initial_value(initial, 0);
    return;
  }
  if (std::find(initial.strides.begin(), initial.strides.end(), 0) != initial.strides.end()) {
    scanner_.fail_at(place, syntax("no-elements", {{"name", std::string(variable.name)}}));
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
  scanner_.expect('{', "before-the-values");
  if (level >= std::max<std::size_t>(initial.sizes.size(), 1)) {
    scanner_.fail_at(place, syntax("deep-values", {{"name", std::string(initial.variable.name)}}));
    return;
  }
  const std::uint64_t stride = initial.sizes.empty() ? 1 : initial.strides[level];
  // a first dimension that was left out takes as many as there are
  const bool open_ended = level == 0 && !initial.sizes.empty() && initial.sizes[0] == 0;
  const std::uint64_t size = initial.sizes.empty() ? 1 : initial.sizes[level] * stride;
  std::uint64_t done = 0;
  while (!scanner_.at_end() && scanner_.peek() != '}') {
    if (!open_ended && done >= size) {
      scanner_.fail(syntax("more-values", {{"name", std::string(initial.variable.name)}}));
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
  scanner_.expect('}', "after-the-values");
}

std::uint8_t* Parser::initial_bytes(Initial& initial, std::uint64_t element) {
  const std::uint64_t width = bytes_of(initial.variable.type);
  std::vector<std::uint8_t>& bytes = initial.variable.initial;
  const std::uint64_t needed = (element + 1) * width;
  if (needed > bytes.size()) {
    const std::uint64_t added = needed - bytes.size();
    if (added > initial_budget_) {
      scanner_.fail_at(scanner_.offset(),
                       syntax("far-apart", {{"name", std::string(initial.variable.name)}}),
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
      scanner_.fail_at(place, syntax("address-width"));
    }
  } else {
    const Constant constant = read_constant(scanner_);
    if (constant.is_real() && !takes_real(type)) {
      scanner_.fail_at(place,
                       syntax("takes-integers", {{"name", std::string(initial.variable.name)}}));
    }
    value = as_stored(constant, type);
    const std::uint32_t mask_end = scanner_.offset();
    if (scanner_.accept('(')) {  // mask(address): one byte of it
      needs(mask_end, "masks-in-initial-values");
      const auto shift = static_cast<std::uint32_t>(std::countr_zero(value));
      if (value == 0 || shift % 8 != 0 || value >> shift != 0xff) {
        scanner_.fail_at(place, syntax("mask"));
        return;
      }
      if (begins_constant(scanner_.peek())) {
        value = read_integer(scanner_, "what-is-masked").bits >> shift & 0xff;
      } else {
        initial_address(address);
        address.byte_of = static_cast<std::uint8_t>(shift / 8);
        value = 0;
      }
      scanner_.expect(')', "after-what-is-masked");
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
      const std::uint64_t value = read_integer(scanner_, "an-offset").bits;
      address.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(address.addend) +
                                                 (minus ? 0 - value : value));
    }
  };
  address.symbol = scanner_.expect_name("the-name-of-a-variable-or-function");
  const std::uint32_t behind = scanner_.offset();
  if (address.symbol == "generic" && scanner_.accept('(')) {
    needs(behind, "generic-in-initial-values");
    address.generic = true;
    address.symbol = scanner_.expect_name("the-name-of-a-variable");
    addend();
    scanner_.expect(')', "after-the-name");
  }
  addend();
  if (!address.symbol.empty()) {
    mentioned_.push_back(address.symbol);
  }
}

}  // namespace warpbook::device::ptx
