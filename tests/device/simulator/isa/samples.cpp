#include "tests/device/simulator/isa/samples.hpp"

#include <fmt/format.h>

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

/// $2 becomes what the second group of alternatives chose, %= the address register of the opcode's space.
std::string finished(const std::string& text, const std::vector<std::string>& chosen) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$') {
      result += chosen.at(static_cast<std::size_t>(text[++i] - '1'));
    } else if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '=') {
      const std::string opcode = text.substr(0, text.find(' '));
      std::string space = "generic";
      for (const char* s : {"global", "shared", "local", "const"}) {
        if (opcode.find(std::string(".") + s) != std::string::npos) space = s;
      }
      result += "%" + space;
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

void expand_rest(std::string_view form, const std::string& done, std::vector<std::string>& chosen,
                 std::vector<std::string>& to) {
  const std::size_t open = form.find('<');
  if (open == std::string_view::npos) {
    to.push_back(finished(done + std::string(form), chosen));
    return;
  }
  const std::size_t close = form.find('>', open);
  const std::string_view inside = form.substr(open + 1, close - open - 1);
  // <||%dp>: nothing, or a second destination behind its bar.
  std::vector<std::string> alternatives =
      inside.starts_with("||") ? std::vector<std::string>{"", std::string(inside.substr(1))}
                               : split(inside, '|');
  for (const std::string& a : alternatives) {
    chosen.push_back(a);
    expand_rest(form.substr(close + 1), done + std::string(form.substr(0, open)) + a, chosen, to);
    chosen.pop_back();
  }
}

constexpr const char* kLetters = "abcdefghijkl";

}  // namespace

std::vector<std::string> expand(std::string_view form) {
  std::vector<std::string> chosen, to;
  expand_rest(form, "", chosen, to);
  return to;
}

std::vector<std::string> forms_of(const isa::InstructionRow& row) {
  std::vector<std::string> forms;
  for (std::string& line : split(row.forms, '\n')) {
    if (line.empty()) continue;
    const std::size_t digits = line.find_first_not_of("0123456789");
    forms.push_back(digits != 0 && line[digits] == ':' ? line.substr(digits + 2) : line);
  }
  return forms;
}

std::vector<std::string> samples_of(const isa::InstructionRow& row) {
  std::vector<std::string> samples;
  for (const std::string& form : forms_of(row)) {
    for (std::string& s : expand(form)) samples.push_back(std::move(s));
  }
  return samples;
}

std::string the_samples_begin_with() {
  std::string text = R"(.version 9.0
.target sm_90
.address_size 64
.global .align 128 .b8 the_global[2048];
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
  function("", "the_function", 1);
  function("", "the_other_function", 2);
  function(".weak", "the_weak_function", 3);
  function(".visible", "the_aliased_function", 4);
  text +=
      R"(.func (.reg .b32 r) the_register_function (.reg .b32 x, .reg .b32 y) { sub.u32 r, x, y; ret; }
.visible .func (.param .b32 r) the_alias (.param .b32 x);
.alias the_alias, the_aliased_function;
.func (.param .align 8 .b8 r[16]) the_wide_function (.param .align 8 .b8 x[16]) {
  .reg .b64 %t<2>;
  ld.param.v2.b64 {%t0, %t1}, [x];
  st.param.b64 [r], %t1;
  st.param.b64 [r+8], %t0;
  ret;
}
.visible .entry k(.param .align 16 .b8 the_param[64])
{
.local .align 128 .b8 the_local[256];
)";
  for (const int width : {8, 16, 32, 64, 128}) {
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
    text += fmt::format("cvt.u8.u32 %{0}8, 0;\nmov.b128 %{0}128, {{%a64, %b64}};\n", *l);
  }
  text += "createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;\n";
  for (int at = 0; at < 2048; at += 8) {
    text += fmt::format("st.shared.u64 [%shared+{}], 0;\n", at);
    if (at < 256) text += fmt::format("st.local.u64 [%local+{}], 0;\n", at);
  }
  return text + "bar.sync 0;\n";
}

std::string kernel_of(const std::vector<std::string>& samples) {
  std::string text = the_samples_begin_with();
  for (const std::string& s : samples) {
    if (s.find("%barrier") == std::string::npos) continue;
    text += "mbarrier.init.shared.b64 [%barrier], 1;\n";
    break;
  }
  for (const std::string& s : samples) {
    const bool needs_object =
        s.find("%texture") != std::string::npos || s.find("%surface") != std::string::npos;
    text += "{\n" + (needs_object ? "@%never " + s : s) + "\n}\n";
  }
  return text + "ret;\n}\n";
}

}  // namespace warpbook::device::tests
