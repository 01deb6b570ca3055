#include "tests/device/simulator/isa/samples.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::tests {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// The opcode with its modifiers of the instruction that text[at] is an operand of.
std::string head_at(const std::string& text, std::size_t at) {
  const std::size_t before = text.rfind(';', at);
  for (const std::string& token :
       split(text.substr(before == std::string::npos ? 0 : before + 1), ' ')) {
    const bool head = !token.empty() && std::islower(static_cast<unsigned char>(token[0]));
    if (head) return token;
  }
  return "";
}

/// The address register of the space that an opcode names.
std::string address_of(const std::string& head) {
  for (const char* s : {"global", "shared", "local", "const"}) {
    if (head.find(std::string(".") + s) != std::string::npos) return std::string("%") + s;
  }
  return "%generic";
}

/// As many registers as an opcode's .v says, as wide as the first of its types that has a width; a is read, d written.
std::string registers_of(const std::string& head, char letter) {
  std::string width;
  std::size_t count = 1;
  for (const std::string& word : split(head, '.')) {
    const std::size_t digit = word.find_first_of("0123456789");
    if (word == "v2" || word == "v4" || word == "v8")
      count = static_cast<std::size_t>(word[1] - '0');
    else if (width.empty() && ptx::type_of(ptx::find_word(word)) != ptx::Type::none)
      width = word.ends_with("x2") ? "32" : word.substr(digit);
  }
  if (width == "8") width = "16";
  const std::string letters = letter == 'a' ? "abceabce" : "dfghijkl";
  std::string text;
  for (std::size_t k = 0; k < count; ++k)
    text += fmt::format("{}%{}{}", k == 0 ? "" : ", ", letters[k], width);
  return count == 1 ? text : "{" + text + "}";
}

/// $2 becomes what the second group of <> chose; %=, %d= and %a= what the opcode asks for.
std::string finished(const std::string& text, const std::vector<std::string>& chosen) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (text[i] == '$') {
      result += chosen.at(static_cast<std::size_t>(text[++i] - '1'));
    } else if (rest.starts_with("%=")) {
      result += address_of(head_at(text, i));
      ++i;
    } else if (rest.starts_with("%d=") || rest.starts_with("%a=")) {
      result += registers_of(head_at(text, i), text[i + 1]);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// A form taken apart: letters, and the alternatives of its groups.
struct Part {
  enum class Kind { letters, all, in_turn } kind;
  std::vector<std::string> choices;
};

std::vector<Part> parts_of(std::string_view form) {
  std::vector<Part> parts{{Part::Kind::letters, {""}}};
  for (std::size_t i = 0; i < form.size(); ++i) {
    // Only behind an opcode's letters is ( a group's; calls have lists in them.
    const bool in_turn = form[i] == '(' && i > 0 && form[i - 1] != ' ';
    if (form[i] != '<' && !in_turn) {
      parts.back().choices[0] += form[i];
      continue;
    }
    const std::size_t close = form.find(in_turn ? ')' : '>', i);
    const std::string inside(form.substr(i + 1, close - i - 1));
    // <||%dp>: nothing, or a second destination behind its bar.
    std::vector<std::string> choices = inside.starts_with("||")
                                           ? std::vector<std::string>{"", inside.substr(1)}
                                           : split(inside, '|');
    for (std::string& c : choices) {
      const std::size_t colon = c.find_first_not_of("0123456789.-/");
      if (colon != 0 && colon != std::string::npos && c[colon] == ':') c.erase(0, colon + 1);
    }
    parts.push_back({in_turn ? Part::Kind::in_turn : Part::Kind::all, std::move(choices)});
    parts.push_back({Part::Kind::letters, {""}});
    i = close;
  }
  return parts;
}

/// The newest of the range, with a target that its version of PTX has.
isa::Dialect dialect_of(const isa::DialectRange& range) {
  constexpr isa::Dialect kNewest[] = {{708, 90}, {700, 80}, {603, 75}, {600, 70}, {500, 60},
                                      {400, 50}, {301, 35}, {200, 20}, {100, 13}};
  isa::Dialect d;
  d.version = std::min(d.version, range.last_version);
  const auto* newest = std::ranges::find_if(
      kNewest, [&](const isa::Dialect& known) { return known.version <= d.version; });
  d.target = std::min({d.target, range.last_target, newest->target});
  return d;
}

constexpr const char* kLetters = "abcdefghijkl";

}  // namespace

std::vector<std::string> expand(std::string_view form) {
  const std::vector<Part> parts = parts_of(form);
  std::size_t combinations = 1, longest = 1;
  for (const Part& p : parts) {
    if (p.kind == Part::Kind::all) combinations *= p.choices.size();
    if (p.kind == Part::Kind::in_turn) longest = std::max(longest, p.choices.size());
  }
  std::vector<std::string> samples;
  for (std::size_t k = 0; k < std::max(combinations, longest); ++k) {
    std::vector<std::string> chosen;
    std::string text;
    std::size_t period = combinations, at = k % combinations;
    for (const Part& p : parts) {
      std::size_t choice = 0;
      if (p.kind == Part::Kind::in_turn) choice = k % p.choices.size();
      if (p.kind == Part::Kind::all) {
        period /= p.choices.size();
        choice = at / period;
        at %= period;
        chosen.push_back(p.choices[choice]);
      }
      text += p.choices[choice];
    }
    samples.push_back(finished(text, chosen));
  }
  return samples;
}

std::vector<Samples> samples_by_dialect(const isa::InstructionRow& row) {
  std::vector<Samples> all(1);
  for (const isa::FormLine& line : isa::lines_of(row)) {
    const isa::Dialect dialect = dialect_of(line.dialects);
    if (all.back().dialect != dialect) all.push_back({dialect, {}});
    for (std::string& text : expand(line.text)) all.back().texts.push_back(std::move(text));
  }
  return all;
}

std::vector<std::string> samples_of(const isa::InstructionRow& row) {
  std::vector<std::string> texts;
  for (Samples& s : samples_by_dialect(row)) {
    if (s.dialect != isa::Dialect{}) continue;
    for (std::string& text : s.texts) texts.push_back(std::move(text));
  }
  return texts;
}

std::string header_of(isa::Dialect dialect) {
  return fmt::format(".version {}.{}\n.target sm_{}\n.address_size 64\n", dialect.version / 100,
                     dialect.version % 100, dialect.target);
}

std::string the_samples_begin_with(isa::Dialect dialect) {
  std::string text = header_of(dialect) + R"(.global .align 128 .b8 the_global[2048];
.const .align 128 .b8 the_const[256];
.shared .align 128 .b8 the_shared[2048];
.shared .align 8 .b8 the_barriers[512];
.func the_empty_function { ret; }
)";
  const auto function = [&](const char* linking, const char* name, int adds) {
    text += fmt::format(
        "{} .func (.param .b32 r) {} (.param .b32 x) {{ .reg .b32 %t; ld.param.b32 %t, [x]; "
        "add.u32 %t, %t, {}; st.param.b32 [r], %t; ret; }}\n",
        linking, name, adds);
  };
  if (dialect.version >= 200) {
    function("", "the_function", 1);
    function("", "the_other_function", 2);
    function(dialect.version >= 301 ? ".weak" : "", "the_weak_function", 3);
    function(".visible", "the_aliased_function", 4);
    text +=
        R"(.func (.param .align 8 .b8 r[16]) the_wide_function (.param .align 8 .b8 x[16]) {
  .reg .b64 %t<2>;
  ld.param.v2.b64 {%t0, %t1}, [x];
  st.param.b64 [r], %t1;
  st.param.b64 [r+8], %t0;
  ret;
}
)";
  }
  if (dialect.version >= 603) {
    text +=
        ".visible .func (.param .b32 r) the_alias (.param .b32 x);\n"
        ".alias the_alias, the_aliased_function;\n";
  }
  text +=
      R"(.func (.reg .b32 r) the_register_function (.reg .b32 x, .reg .b32 y) { sub.u32 r, x, y; ret; }
.visible .entry k(.param .align 16 .b8 the_param[64])
{
.local .align 128 .b8 the_local[256];
)";
  const bool has_128_bits = dialect.version >= 803 && dialect.target >= 70;
  for (const int width : {8, 16, 32, 64, 128}) {
    if (width == 128 && !has_128_bits) continue;
    for (const char* l = kLetters; *l; ++l) text += fmt::format(".reg .b{0} %{1}{0};\n", width, *l);
  }
  text += R"(.reg .pred %ap, %bp, %dp, %ep, %never;
.reg .b64 %global, %shared, %local, %const, %generic, %policy, %small64, %texture, %surface, %barrier, %gbarrier, %row64;
.reg .b32 %shared32, %all32, %zero32, %one32, %sixteen32, %threads32;
.reg .b16 %one16;
.reg .v4 .b32 %dv;
mov.u64 %global, the_global;
mov.u64 %shared, the_shared;
mov.u64 %local, the_local;
mov.u64 %const, the_const;
cvta.global.u64 %generic, %global;
mov.u32 %shared32, the_shared;
mov.u32 %all32, -1;
mov.u32 %zero32, 0;
mov.u32 %one32, 1;
mov.u16 %one16, 1;
mov.u32 %sixteen32, 16;
mov.u32 %threads32, 64;
mov.u64 %small64, 32;
mov.u32 %a32, %tid.x;
mul.wide.u32 %a64, %a32, 8;
mov.u64 %barrier, the_barriers;
add.u64 %barrier, %barrier, %a64;
cvta.shared.u64 %gbarrier, %barrier;
and.b32 %a32, %a32, 31;
mul.wide.u32 %a64, %a32, 16;
add.u64 %row64, %shared, %a64;
mov.u64 %texture, 0;
mov.u64 %surface, 0;
setp.ne.u32 %never, %zero32, 0;
setp.eq.u32 %ap, %zero32, 0;
setp.ne.u32 %bp, %zero32, 0;
setp.eq.u32 %dp, %zero32, 0;
setp.eq.u32 %ep, %zero32, 0;
)";
  for (const char* l = kLetters; *l; ++l) {
    for (const int width : {16, 32, 64}) text += fmt::format("mov.b{0} %{1}{0}, 0;\n", width, *l);
    text += fmt::format("cvt.u8.u32 %{}8, 0;\n", *l);
    if (has_128_bits) text += fmt::format("mov.b128 %{}128, {{%a64, %b64}};\n", *l);
  }
  for (int at = 0; at < 2048; at += 8) {
    text += fmt::format("st.shared.u64 [%shared+{}], 0;\n", at);
    if (at < 256) text += fmt::format("st.local.u64 [%local+{}], 0;\n", at);
  }
  return text + "bar.sync 0;\n";
}

std::string kernel_of(const std::vector<std::string>& samples, isa::Dialect dialect) {
  std::string text = the_samples_begin_with(dialect);
  const auto need = [&](const char* name, const char* instruction) {
    if (std::ranges::any_of(
            samples, [&](const std::string& s) { return s.find(name) != std::string::npos; }))
      text += instruction;
  };
  need("barrier]", "mbarrier.init.shared.b64 [%barrier], 1;\n");
  need("%policy", "createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;\n");
  for (const std::string& s : samples) {
    const bool needs_object =
        s.find("%texture") != std::string::npos || s.find("%surface") != std::string::npos;
    text += "{\n" + (needs_object ? "@%never " + s : s) + "\n}\n";
  }
  return text + "ret;\n}\n";
}

}  // namespace warpbook::device::tests
