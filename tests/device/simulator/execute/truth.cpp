#include "tests/device/simulator/execute/truth.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace warpbook::device::tests {
namespace {

using reference::Scalar;
using reference::Type;
using reference::Wide;
using reference::Word;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

/// A register of the samples or a number; nothing for anything else.
std::optional<Token> token_of(std::string text) {
  Token t;
  text = trimmed(text);
  if (text == "_") return t;
  if (text.empty()) return std::nullopt;
  if (text[0] == '!' || (text[0] == '-' && text.size() > 1 && text[1] == '%')) {
    t.negated = true;
    text.erase(0, 1);
  }
  if (text[0] != '%') {
    char* end = nullptr;
    t.constant = std::strtoull(text.c_str(), &end, 0);
    if (*end != '\0') return std::nullopt;
    return t;
  }
  const std::size_t dot = text.find('.');
  t.name = text.substr(0, dot);
  if (dot != std::string::npos) t.selector = text.substr(dot + 1);
  // %a32 or %ap: other names are special registers and addresses.
  const bool predicate = t.name.size() == 3 && t.name[2] == 'p';
  const bool numbered = t.name.size() > 2 && std::isalpha(static_cast<unsigned char>(t.name[1])) &&
                        t.name.find_first_not_of("0123456789", 2) == std::string::npos;
  if (!predicate && !numbered) return std::nullopt;
  return t;
}

std::optional<Piece> piece_of(const std::string& text) {
  if (text.find_first_of("[{@:") != std::string::npos) return std::nullopt;
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return std::nullopt;
  Piece p;
  p.modifiers = split(text.substr(0, space), '.');
  p.opcode = p.modifiers.front();
  p.modifiers.erase(p.modifiers.begin());
  const std::vector<std::string> operands = split(text.substr(space + 1), ',');
  for (const std::string& d : split(operands[0], '|')) {
    auto t = token_of(d);
    if (!t) return std::nullopt;
    p.destinations.push_back(*t);
  }
  for (std::size_t k = 1; k < operands.size(); ++k) {
    auto t = token_of(operands[k]);
    if (!t) return std::nullopt;
    p.sources.push_back(*t);
  }
  return p;
}

Wide value_of(const Token& t, const Registers& registers) {
  if (t.name.empty()) return t.constant;
  const auto found = registers.find(t.name);
  const Wide v = found == registers.end() ? 0 : found->second.bits;
  if (width_of(t.name) == 1 && t.negated) return v == 0 ? 1 : 0;
  return v;
}

/// fma.oob gives +0 where an operand is the NaN that stands for an element outside of its tensor.
void clear_out_of_bounds(const std::vector<Wide>& in, Scalar& s) {
  for (const int at : {0, 16}) {
    for (const Wide v : in) {
      if ((v >> at & 0x7fff) == 0x7ff7) s.d &= ~(Wide{0xffff} << at);
    }
  }
}

bool is_nan64(Wide bits) {
  return std::isnan(std::bit_cast<double>(static_cast<std::uint64_t>(bits)));
}

/// What the reference interpreter knows.
bool evaluate_scalar(const Piece& p, const std::vector<Wide>& in, bool& carry, Wanted& d,
                     Wanted& second) {
  std::vector<Word> modifiers;
  for (const std::string& m : p.modifiers) modifiers.push_back(ptx::find_word(m));
  Scalar s;
  s.opcode = ptx::find_word(p.opcode);
  s.modifiers = modifiers;
  s.count = static_cast<int>(in.size());
  for (std::size_t k = 0; k < in.size() && k < s.in.size(); ++k) s.in[k] = in[k];
  const auto bytes = [](const Token& t) { return t.name.empty() ? 0 : (width_of(t.name) + 7) / 8; };
  s.d_bytes = bytes(p.destinations[0]);
  s.a_bytes = p.sources.empty() ? 0 : bytes(p.sources[0]);
  s.carry = carry;
  const bool with_predicate = s.opcode == Word::lop3 && p.destinations.size() == 2;
  if (with_predicate) {
    std::erase_if(modifiers, [](Word w) { return w == Word::and_ || w == Word::or_; });
    s.modifiers = modifiers;
  }
  if (s.opcode == Word::mov) {
    s.d = in[0];
  } else if (!reference::evaluate(s)) {
    return false;
  }
  if (std::find(modifiers.begin(), modifiers.end(), Word::oob) != modifiers.end())
    clear_out_of_bounds(in, s);
  carry = s.carry;
  // fns counts from a bit of the word; what a base beyond it finds is open, and here nothing.
  if (p.opcode == "fns" && in[1] > 31) s.d = 0xffffffff;
  d.bits = s.d;
  second.bits = s.second;
  if (with_predicate) {
    const bool any = s.d != 0, q = in.back() != 0;
    second.bits = p.modifiers.front() == "or" ? any || q : any && q;
  }
  // The ISA promises no payload of a double's NaN, but min, max, abs and neg of one are bit operations.
  const bool to_double = s.type() == Type::f64;
  const bool moves = s.opcode == Word::abs || s.opcode == Word::neg || s.opcode == Word::selp ||
                     s.opcode == Word::slct || s.opcode == Word::copysign || s.opcode == Word::mov;
  d.any_nan = to_double && !moves && s.d_bytes == 8 && is_nan64(s.d);
  return true;
}

}  // namespace

int width_of(const std::string& name) { return name.back() == 'p' ? 1 : std::stoi(name.substr(2)); }

std::optional<std::vector<Piece>> pieces_of(const std::string& sample) {
  std::vector<Piece> pieces;
  for (const std::string& text : split(sample, ';')) {
    const std::string t = trimmed(text);
    if (t.empty()) continue;
    auto p = piece_of(t);
    if (!p) return std::nullopt;
    pieces.push_back(std::move(*p));
  }
  return pieces;
}

bool evaluate_pieces(const std::vector<Piece>& pieces, Registers& registers) {
  bool carry = false;
  for (const Piece& p : pieces) {
    std::vector<Wide> in;
    for (const Token& t : p.sources) in.push_back(value_of(t, registers));
    Wanted d, second;
    if (!evaluate_video(p, in, d.bits) && !evaluate_packed(p, in, d.bits) &&
        !evaluate_approximate(p, in, d) && !evaluate_scalar(p, in, carry, d, second))
      return false;
    if (!p.destinations[0].name.empty()) registers[p.destinations[0].name] = d;
    if (p.destinations.size() > 1 && !p.destinations[1].name.empty())
      registers[p.destinations[1].name] = second;
  }
  return true;
}

}  // namespace warpbook::device::tests
