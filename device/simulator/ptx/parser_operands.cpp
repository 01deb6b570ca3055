// Operands: registers, constants, addresses, vectors, lists (PTX ISA 9.0, 6.4), and what their
// names mean.
#include <algorithm>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

constexpr std::uint8_t kElement = 0;  ///< a symbol's component while it is an element of an array

/// .x .y .z .w or .r .g .b .a as 0 to 3; 0xff for any other word.
std::uint8_t component_of(std::string_view word) {
  if (word.size() != 1) {
    return 0xff;
  }
  switch (word[0]) {
    case 'x':
    case 'r': return 0;
    case 'y':
    case 'g': return 1;
    case 'z':
    case 'b': return 2;
    case 'w':
    case 'a': return 3;
    default: return 0xff;
  }
}

}  // namespace

void Parser::operands(bool labels_only) {
  const char first = scanner_.peek();
  if (!begins_name(first) && !begins_constant(first) && first != '[' && first != '{') {
    scanner_.fail_expected(what_message("an-operand-or"));
    return;
  }
  bool paired = false;
  do {
    operand(labels_only);
    scratch_.back().paired = paired;
    paired = scanner_.accept('|');
  } while (paired || scanner_.accept(','));
}

/// (returns), callee, (arguments), table: of which only the callee must be there.
void Parser::call_operands() {
  Operand list;
  list.kind = Operand::Kind::list;
  Operand returns = list;
  if (scanner_.peek() == '(') {
    list_of_operands(')', returns);
    scanner_.expect(',', "after-what-a-call-returns");
  }
  scratch_.push_back(returns);
  operand(false);
  Operand arguments = list;
  bool more = scanner_.accept(',');
  if (more && scanner_.peek() == '(') {
    list_of_operands(')', arguments);
    more = scanner_.accept(',');
  }
  scratch_.push_back(arguments);
  if (more) {
    operand(false);
  }
}

/// Takes one operand to the end of scratch_.
void Parser::operand(bool label_only) {
  Operand result;
  const char c = scanner_.peek();
  if (begins_name(c)) {
    named_operand(result, label_only);
  } else if (c == '[') {
    address(result);
  } else if (c == '{') {
    result.kind = Operand::Kind::vector;
    list_of_operands('}', result);
  } else if (c == '!' && begins_name(scanner_.peek_next())) {
    scanner_.take(1);
    named_operand(result, false);
    result.negated = true;
  } else if (c == '-' && begins_name(scanner_.peek_next()) && scanner_.peek_next() != 'W') {
    scanner_.take(1);
    named_operand(result, false);
    result.negated = true;
  } else if (begins_constant(c)) {
    constant_operand(result);
  } else {
    scanner_.fail_expected(what_message("an-operand"));
  }
  spread_vector(result);
  scratch_.push_back(result);
}

/// The name of a vector register means the list of its parts.
void Parser::spread_vector(Operand& out) {
  if (out.kind != Operand::Kind::reg || out.component != 0xff || out.word != Word::unknown ||
      out.negated || function_.registers[out.index].lanes == 1) {
    return;
  }
  Operand part = out;
  out = {};
  out.kind = Operand::Kind::vector;
  out.first = static_cast<std::uint32_t>(module_.operands.size());
  out.count = function_.registers[part.index].lanes;
  for (std::uint32_t k = 0; k < out.count; ++k) {
    part.component = static_cast<std::uint8_t>(k);
    module_.operands.push_back(part);
  }
}

void Parser::constant_operand(Operand& out) {
  const Constant constant = read_constant(scanner_);
  out.kind = Operand::Kind::immediate;
  out.bits = constant.bits;
  out.is_float = constant.is_real();
}

/// {a, b} and (a, b), from the opening bracket.
void Parser::list_of_operands(char close, Operand& out) {
  if (++list_depth_ > kMaxListDepth) {
    scanner_.fail(syntax("deep-operands"));
    return;
  }
  scanner_.take(1);
  const std::size_t mark = scratch_.size();
  if (scanner_.peek() != close) {
    do {
      operand(false);
    } while (scanner_.accept(','));
  }
  out.count = static_cast<std::uint32_t>(scratch_.size() - mark);
  out.first = keep_operands(mark);
  scanner_.expect(close, "after-the-last-of-these-operands");
  --list_depth_;
}

/// [base + offset] and [base, more, ..].
void Parser::address(Operand& out) {
  if (++list_depth_ > kMaxListDepth) {
    scanner_.fail(syntax("deep-operands"));
    return;
  }
  scanner_.take(1);
  out.kind = Operand::Kind::address;
  address_base(out);
  const std::size_t mark = scratch_.size();
  while (scanner_.accept(',')) {
    operand(false);
  }
  out.count = static_cast<std::uint32_t>(scratch_.size() - mark);
  out.first = keep_operands(mark);
  scanner_.expect(']', "after-the-address");
  --list_depth_;
}

void Parser::address_base(Operand& out) {
  if (!begins_name(scanner_.peek()) || warp_size_here(scanner_)) {
    out.bits = read_integer(scanner_, "an-address").bits;
    return;
  }
  Operand named;
  named_operand(named, false);
  out.base = named.kind;
  out.home = named.home;
  out.index = named.index;
  out.name = named.name;
  out.component = named.component;
  out.bits = named.bits;
  out.word = named.word;
  while (scanner_.peek() == '+' || scanner_.peek() == '-') {
    const bool minus = scanner_.accept('-');
    if (!minus) {
      scanner_.take(1);
    }
    const std::uint64_t offset = read_integer(scanner_, "the-offset-of-an-address").bits;
    out.bits += minus ? 0 - offset : offset;
  }
}

void Parser::named_operand(Operand& out, bool label_only) {
  const char* begin = scanner_.text().data() + scanner_.offset();
  if (*begin == '_' && !is_word_character(begin[1])) {
    scanner_.take(1);
    out.kind = Operand::Kind::sink;
    return;
  }
  if (!label_only && warp_size_here(scanner_)) {
    constant_operand(out);
    return;
  }
  const std::string_view name = scanner_.name();
  out.name = name;
  if (label_only) {
    out.kind = Operand::Kind::label;
    out.index = kLabelOnly;
    return;
  }
  resolve(out, name);
  if (out.kind == Operand::Kind::reg || out.kind == Operand::Kind::special) {
    if (scanner_.peek() == '.') {
      component(out);
    } else if (out.kind == Operand::Kind::reg && list_depth_ == 0 && scanner_.accept('+')) {
      out.bits = read_integer(scanner_, "what-is-added-to-a-register").bits;
    }
    return;
  }
  if (scanner_.peek() == '[') {
    array_element(out, name);
  }
  while (out.kind == Operand::Kind::symbol && (scanner_.peek() == '+' || scanner_.peek() == '-')) {
    const bool minus = scanner_.accept('-');
    if (!minus) {
      scanner_.take(1);
    }
    const std::uint64_t offset = read_integer(scanner_, "an-offset").bits;
    out.bits += minus ? 0 - offset : offset;
  }
}

void Parser::resolve(Operand& out, std::string_view name) {
  std::uint32_t index = 0;
  if (find_register(name, index)) {
    out.kind = Operand::Kind::reg;
    out.index = index;
    return;
  }
  const Meaning* meaning = names_.find(name);
  if (meaning != nullptr) {
    out.kind = Operand::Kind::symbol;
    out.index = meaning->index;
    out.home = meaning->kind == kVariable         ? Operand::Home::variable
               : meaning->kind == kParameter      ? Operand::Home::parameter
               : meaning->kind == kResult         ? Operand::Home::result
               : meaning->kind == kModuleVariable ? Operand::Home::module_variable
                                                  : Operand::Home::function;
    return;
  }
  if (name[0] == '%') {
    out.word = find_word(name);
    if (out.word == Word::unknown) {
      scanner_.fail_at(place_of(name), syntax("undeclared", {{"name", std::string(name)}}));
    }
    out.kind = Operand::Kind::special;
    return;
  }
  out.kind = Operand::Kind::label;
  out.index = kNone;
}

/// table[3], table[%r1 + 1]: an element of an array (6.4.2). One whose index is a register stays a symbol with that as its
/// only part.
void Parser::array_element(Operand& out, std::string_view name) {
  const std::uint32_t place = scanner_.offset();
  if (out.kind != Operand::Kind::symbol || out.home == Operand::Home::function) {
    scanner_.fail_at(place, syntax("no-array", {{"name", std::string(name)}}));
    return;
  }
  const std::vector<Variable>& home = out.home == Operand::Home::variable    ? function_.variables
                                      : out.home == Operand::Home::parameter ? function_.parameters
                                      : out.home == Operand::Home::result    ? function_.returns
                                                                             : module_.variables;
  const std::uint64_t bytes = bytes_of(home[out.index].type);
  scanner_.take(1);
  out.component = kElement;
  if (begins_name(scanner_.peek()) && !warp_size_here(scanner_)) {
    Operand index;
    const std::uint32_t index_place = scanner_.offset();
    const std::string_view index_name = scanner_.name();
    if (!find_register(index_name, index.index) || function_.registers[index.index].lanes != 1 ||
        list_depth_ != 0) {
      scanner_.fail_at(index_place, syntax("index"));
      return;
    }
    index.kind = Operand::Kind::reg;
    index.name = index_name;
    out.first = static_cast<std::uint32_t>(module_.operands.size());
    out.count = 1;
    module_.operands.push_back(index);
    while (scanner_.peek() == '+' || scanner_.peek() == '-') {
      const bool minus = scanner_.accept('-');
      if (!minus) {
        scanner_.take(1);
      }
      const std::uint64_t offset = read_integer(scanner_, "an-offset").bits * bytes;
      out.bits += minus ? 0 - offset : offset;
    }
  } else {
    out.bits += read_integer(scanner_, "the-index-of-an-array").bits * bytes;
  }
  scanner_.expect(']', "after-the-index");
}

/// ld and st take the element of an array as an address, mov takes its address; nothing else takes one.
void Parser::settle_elements(Word opcode) {
  const bool accesses = opcode == Word::ld || opcode == Word::ldu || opcode == Word::st;
  for (Operand& operand : scratch_) {
    if (operand.kind != Operand::Kind::symbol || operand.component != kElement) {
      continue;
    }
    if (accesses) {
      operand.kind = Operand::Kind::address;
      operand.base = Operand::Kind::symbol;
    } else if (operand.count != 0 && opcode != Word::mov) {
      scanner_.fail_at(place_of(operand.name), syntax("element"));
    }
    operand.component = 0xff;
  }
}

/// {%r1} is %r1 where ptxas takes it so, and compilers write it: ld.global.b32 {%r1}, [%rd1].
void Parser::unwrap_single(Word opcode) {
  if (opcode != Word::ld && opcode != Word::ldu && opcode != Word::st && opcode != Word::mov) {
    return;
  }
  const auto is_vector = [](const Operand& o) { return o.kind == Operand::Kind::vector; };
  if (std::ranges::count_if(scratch_, is_vector) != 1) {
    return;
  }
  Operand& vector = *std::ranges::find_if(scratch_, is_vector);
  if (vector.count == 1 && module_.operands[vector.first].kind != Operand::Kind::sink) {
    vector = module_.operands[vector.first];
  }
}

/// .x of a vector, or .b0, .h1, .b3210, .h10 of a video instruction.
void Parser::component(Operand& out) {
  const std::uint32_t place = scanner_.offset();
  const std::string_view word = scanner_.dotted();
  out.component = component_of(word);
  if (out.component != 0xff || scanner_.failed()) {
    return;
  }
  constexpr std::size_t kMaxDigits = 4;
  const bool selector = out.kind == Operand::Kind::reg && word.size() > 1 &&
                        word.size() <= 1 + kMaxDigits && (word[0] == 'b' || word[0] == 'h') &&
                        word.find_first_not_of("01234567", 1) == std::string_view::npos;
  if (!selector) {
    scanner_.fail_at(place, syntax("no-part", {{"part", std::string(word)}}));
    return;
  }
  out.word = word[0] == 'b' ? Word::b : Word::h;
  out.count = static_cast<std::uint32_t>(word.size() - 1);
  for (const char digit : word.substr(1)) {
    out.bits = out.bits << 4 | static_cast<std::uint64_t>(digit - '0');
  }
}

/// A register by its name: one declared so, or one of a range that now comes to be.
bool Parser::find_register(std::string_view name, std::uint32_t& index) {
  const Meaning* exact = names_.find(name);
  const std::uint32_t exact_depth = exact == nullptr ? 0 : exact->depth;
  bool may_be_hidden = exact == nullptr;
  for (std::size_t depth = ranges_by_depth_.size() - 1; depth > exact_depth && !may_be_hidden;
       --depth) {
    may_be_hidden = ranges_by_depth_[depth] != 0;
  }
  if (may_be_hidden) {
    // Any digits at the end may be the number: "%r1<5>" has %r10 to %r14.
    constexpr std::size_t kMaxDigits = 10;
    std::uint64_t number = 0;
    std::uint64_t scale = 1;
    for (std::size_t digits = 1; digits <= kMaxDigits && digits < name.size();
         ++digits, scale *= 10) {
      const char digit = name[name.size() - digits];
      if (!is_digit(digit)) {
        break;
      }
      number += static_cast<std::uint64_t>(digit - '0') * scale;
      if (digit == '0' && digits > 1) {
        continue;  // %r01 is not %r1
      }
      const std::string_view prefix = name.substr(0, name.size() - digits);
      const Meaning* found = ranges_.find(prefix);
      while (found != nullptr && number >= range_list_[found->index].count) {
        found = ranges_.find(prefix,
                             found->depth);  // an inner range that is too short hides only its own
      }
      if (found == nullptr || found->depth <= exact_depth) {
        continue;
      }
      const Range& range = range_list_[found->index];
      index = add_register(name, range.type, range.lanes);
      names_.declare_at(found->depth, name, kRegister, index);
      return true;
    }
  }
  if (exact == nullptr || exact->kind != kRegister) {
    return false;
  }
  index = exact->index;
  return true;
}

}  // namespace warpbook::device::ptx
