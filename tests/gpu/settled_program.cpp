#include "tests/gpu/settled_program.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Where a function calls itself, which is where a call stands before the kernel: all lanes meet by a mask that ptxas does not know.
std::string without_known_members(const std::string& ptx) {
  if (ptx.find("\ncall ") >= ptx.find(".entry ")) return ptx;
  static const std::regex all_meet(
      R"((^|\n)((?:shfl|vote|match|redux|elect|bar\.warp)\.sync[^;\n]*) -1;)");
  return std::regex_replace(ptx, all_meet,
                            "$1{ .reg .b32 %members, %rest;\nmov.u32 %members, %lanemask_lt;\n"
                            "mov.u32 %rest, %lanemask_ge;\nor.b32 %members, %members, %rest;\n"
                            "$2 %members;\n}");
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

/// The instruction with other text in an operand's place.
std::string with_operand(Instruction i, std::size_t at, std::string_view text) {
  i.operands[at] = text;
  return fmt::format("{}{} {};\n", i.guard, i.opcode, fmt::join(i.operands, ", "));
}

/// A division by what is never zero.
std::string with_divisor(const Instruction& i, const std::string& bits) {
  const std::string& divisor = i.operands[2];
  if (divisor[0] != '%') return with_operand(i, 2, is_zero(divisor) ? "1" : divisor);
  return fmt::format("{{ .reg .b{0} %open;\nor.b{0} %open, {1}, 1;\n{2}}}\n", bits, divisor,
                     with_operand(i, 2, "%open"));
}

/// The instruction with an operand of 32 bits that ptxas does not take for the same in all lanes: zero is added to it, made of two masks
/// that differ from lane to lane.
std::string with_own_operand(const Instruction& i, std::size_t at) {
  return fmt::format(
      "{{ .reg .b32 %open, %rest;\nmov.u32 %open, %lanemask_lt;\nmov.u32 %rest, %lanemask_ge;\n"
      "and.b32 %open, %open, %rest;\nor.b32 %open, %open, {};\n{}}}\n",
      i.operands[at], with_operand(i, at, "%open"));
}

/// A bit field whose last two operands, its place and its length, are below 256. A signed one begins inside the number.
std::string with_field(Instruction i, bool is_signed, unsigned bits) {
  std::string text = "{ .reg .b32 %at, %length;\n";
  const std::size_t place = i.operands.size() - 2;
  const bool extracts_word = i.operands.size() == 4 && bits == 32 && i.operands[place][0] == '%';
  for (const auto& [at, name] : {std::pair(place, "%at"), std::pair(place + 1, "%length")}) {
    std::string& operand = i.operands[at];
    if (operand[0] == '%') {
      text += fmt::format("and.b32 {}, {}, 0xff;\n", name, operand);
      operand = name;
    } else if (at == place && is_signed) {
      operand = std::to_string(std::stoul(operand) % bits);
    }
  }
  return text + (extracts_word ? with_own_operand(i, 1) : with_operand(i, 0, i.operands[0])) +
         "}\n";
}

/// A shift by a register of its own, so that ptxas does not know that a float was written to the other.
std::string with_moved_amount(const Instruction& i) {
  return fmt::format("{{ .reg .b32 %open;\nmov.b32 %open, {};\n{}}}\n", i.operands[2],
                     with_operand(i, 2, "%open"));
}

/// The instruction without its guard, into a register of its own, which is moved under the guard.
std::string with_guarded_move(Instruction i) {
  const std::string result = i.operands[0], guard = std::exchange(i.guard, "");
  const char* const type = result[1] == 'p'   ? "pred"
                           : result[1] == 'h' ? "b16"
                           : result[1] == 'r' ? "b32"
                                              : "b64";
  return fmt::format("{{ .reg .{0} %open;\n{1}{2}mov.{0} {3}, %open;\n}}\n", type,
                     with_operand(i, 0, "%open"), guard, result);
}

/// What brings a sum in memory that is a NaN to the canonical one.
std::string with_canonical_sum(const Instruction& i, const std::string& space,
                               const std::string& type) {
  const std::string bits = type.substr(1);
  return fmt::format("{{ .reg .b{0} %sum;\nld.{1}.b{0} %sum, {2};\n{3}st.{1}.b{0} {2}, %sum;\n}}\n",
                     bits, space, i.operands[1], with_canonical_nan(type, "%sum"));
}

/// The line, and what settles it.
std::string settled_line(const std::string& line) {
  static const std::regex divides(R"((div|rem)\.[us](16|32|64))"),
      gives_open_nan(
          R"((?:(?:abs|neg|min|max)(?:\.ftz|\.NaN|\.xorsign|\.abs)*\.(f16|bf16|f32|f16x2|bf16x2))"
          R"(|(?:add|sub|mul|div|fma|mad|rcp|sqrt|abs|neg|min|max|copysign)(?:\.r[nzmp])?\.(f64)))"),
      converts_nan(
          R"(cvt(?:\.\w+)*\.(?:(f16|bf16|f32|f64)\.f64|(f64)\.(?:f16|bf16|f32)|(f32)\.bf16))"),
      to_tensor(R"(cvt\.\S*tf32\.f32)"), field(R"(bf[ei]\.([bus])(32|64))"),
      adds_in_memory(R"(atom\.(shared|global)\.add\.(f32|f64))"),
      goes_wrong_guarded(R"((set|testp|selp)\..*)"), brain_to_long(R"(cvt\.\S*\.[us]64\.bf16)"),
      shifts_long(R"(sh[lr]\.[bus]64)");
  const auto i = instruction_in(line);
  std::smatch match;
  if (!i) return line + "\n";
  const std::string& opcode = i->opcode;
  if (opcode == "mov.u32" && i->operands.back() == "%warpid")
    return fmt::format("shr.u32 {}, %lin, 5;\n", i->operands[0]);
  if (std::regex_match(opcode, match, divides)) return with_divisor(*i, match[2]);
  if (std::regex_match(opcode, match, field))
    return with_field(*i, match[1] == "s", match[2] == "32" ? 32 : 64);
  if (std::regex_match(opcode, shifts_long) && i->operands[2][0] == '%')
    return with_moved_amount(*i);
  if (opcode.starts_with("shfl.") && i->operands[0].find('|') != std::string::npos)
    return with_own_operand(*i, 1);
  if (opcode == "fns.b32" && i->operands[3][0] == '%') {
    return fmt::format("{{ .reg .b32 %open;\nmax.s32 %open, {}, -0x7fffffff;\n{}}}\n",
                       i->operands[3], with_operand(*i, 3, "%open"));
  }
  if (!i->guard.empty() && std::regex_match(opcode, goes_wrong_guarded))
    return with_guarded_move(*i);
  if (std::regex_match(opcode, match, gives_open_nan) ||
      std::regex_match(opcode, match, converts_nan)) {
    const auto type = std::find_if(match.begin() + 1, match.end(),
                                   [](const auto& group) { return group.matched; });
    return line + "\n" + with_canonical_nan(*type, i->operands[0]);
  }
  if (std::regex_match(opcode, match, adds_in_memory)) {
    return line + "\n" + with_canonical_nan(match[2], i->operands[0]) +
           with_canonical_sum(*i, match[1], match[2]);
  }
  if (std::regex_match(opcode, brain_to_long)) {
    return line + fmt::format(
                      "\n{{ .reg .pred %open;\nsetp.nan.bf16 %open, {0}, {0};\n"
                      "@%open mov.b64 {1}, 0x8000000000000000;\n}}\n",
                      i->operands[1], i->operands[0]);
  }
  if (std::regex_match(opcode, to_tensor)) {
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
  for (const std::string& line : lines_of(without_known_members(without_fusion(ptx))))
    text += settled_line(line);
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
