#include "tests/gpu/settled_program.hpp"

#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpbook::tests {
namespace {

/// "@%p1 neg.f32 %r1, %r2;" taken apart.
struct Instruction {
  std::string guard, opcode;
  std::vector<std::string> operands;
};

std::optional<Instruction> instruction_in(const std::string& line) {
  static const std::regex whole(R"(\s*(@!?%\w+ )?([a-z][\w.:]*) ([^;]*);)");
  std::smatch match;
  if (!std::regex_match(line, match, whole)) return std::nullopt;
  Instruction i{match[1], match[2], {""}};
  int depth = 0;
  for (const char c : match[3].str()) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      i.operands.emplace_back();
    else if (c != ' ' || !i.operands.back().empty())
      i.operands.back() += c;
  }
  return i;
}

std::string without_fusion(const std::string& ptx) {
  static const std::regex may_be_fused(
      R"((^|\s)(add|sub|mul)((\.ftz|\.sat)*)\.(f16|f32|f64|bf16))");
  return std::regex_replace(ptx, may_be_fused, "$1$2.rn$3.$5");
}

/// Instructions after which a NaN in that register is the type's canonical one.
std::string with_canonical_nan(const std::string& type, const std::string& r) {
  const auto one = [](const std::string& scalar, const std::string& name) {
    const char* const nan = scalar == "f64"   ? "mov.b64 {}, 0x7fffffffffffffff;"
                            : scalar == "f32" ? "mov.b32 {}, 0x7fffffff;"
                                              : "mov.b16 {}, 0x7fff;";
    return fmt::format("setp.nan.{} %open, {}, {};\n@%open {}\n", scalar, name, name,
                       fmt::format(fmt::runtime(nan), name));
  };
  if (!type.ends_with("x2")) return "{ .reg .pred %open;\n" + one(type, r) + "}\n";
  const std::string half = type.substr(0, type.size() - 2);
  return "{ .reg .pred %open; .reg .b16 %low, %high;\n" +
         fmt::format("mov.b32 {{%low, %high}}, {};\n", r) + one(half, "%low") + one(half, "%high") +
         fmt::format("mov.b32 {}, {{%low, %high}};\n}}\n", r);
}

bool is_zero(const std::string& constant) {
  return constant.find_first_not_of("-0x") == std::string::npos;
}

/// A division by what is never zero.
std::string with_divisor(const Instruction& i, const std::string& bits) {
  std::string divisor = i.operands[2];
  const std::string begin = i.guard + i.opcode + " " + i.operands[0] + ", " + i.operands[1] + ", ";
  if (divisor[0] != '%') return begin + (is_zero(divisor) ? "1" : divisor) + ";\n";
  return fmt::format("{{ .reg .b{0} %open;\nor.b{0} %open, {1}, 1;\n{2}%open;\n}}\n", bits, divisor,
                     begin);
}

/// The line, and what settles it.
std::string settled_line(const std::string& line) {
  static const std::regex divides(R"((div|rem)\.[us](16|32|64))"),
      gives_open_nan(R"((?:(?:abs|neg)(?:\.ftz)?\.(f16|bf16|f32|f16x2|bf16x2)|neg\.(f64)))"),
      widens_brain(R"(cvt(?:\.r[nzmp])?(?:\.ftz)?\.f32\.bf16)"), to_tensor(R"(cvt\.\S*tf32\.f32)");
  const auto i = instruction_in(line);
  std::smatch match;
  if (!i) return line + "\n";
  if (i->opcode == "mov.u32" && i->operands.back() == "%warpid")
    return fmt::format("shr.u32 {}, %lin, 5;\n", i->operands[0]);
  if (std::regex_match(i->opcode, match, divides)) return with_divisor(*i, match[2]);
  if (std::regex_match(i->opcode, match, gives_open_nan)) {
    const std::string type = match[1].matched ? match[1] : match[2];
    return line + "\n" + with_canonical_nan(type, i->operands[0]);
  }
  if (std::regex_match(i->opcode, widens_brain))
    return line + "\n" + with_canonical_nan("f32", i->operands[0]);
  if (std::regex_match(i->opcode, to_tensor)) {
    return line + "\n" + with_canonical_nan("f32", i->operands[0]) +
           fmt::format("and.b32 {0}, {0}, 0xffffe000;\n", i->operands[0]);
  }
  return line + "\n";
}

std::vector<std::string> lines_of(const std::string& ptx) {
  std::vector<std::string> lines;
  std::istringstream stream(ptx);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Whether the instruction in a line has the register as a result.
bool writes(const std::string& line, const std::string& name) {
  const auto i = instruction_in(line);
  if (!i || i->opcode.starts_with("st.") || i->opcode.starts_with("red.")) return false;
  static const std::regex separators(R"([^%\w]+)");
  const std::string& results = i->operands[0];
  const std::sregex_token_iterator begin(results.begin(), results.end(), separators, -1), none;
  return std::find(begin, none, name) != none;
}

}  // namespace

std::string settled(const std::string& ptx) {
  std::string text;
  for (const std::string& line : lines_of(without_fusion(ptx))) text += settled_line(line);
  return text;
}

std::string made_by(const std::string& ptx, std::size_t offset) {
  static const std::regex own_store(R"(st\.global\.b(\d+) \[%own\+(\d+)\], (%\w+);)");
  const std::vector<std::string> lines = lines_of(ptx);
  for (std::size_t at = lines.size(); at-- > 0;) {
    std::smatch match;
    if (!std::regex_search(lines[at], match, own_store)) continue;
    const std::size_t first = std::stoul(match[2]), bytes = std::stoul(match[1]) / 8;
    if (offset < first || offset >= first + bytes) continue;
    const std::string name = match[3];
    for (std::size_t before = at; before-- > 0;) {
      if (writes(lines[before], name)) return lines[before] + " " + lines[at];
    }
    return lines[at];
  }
  return "a store whose address only the run knows";
}

}  // namespace warpbook::tests
