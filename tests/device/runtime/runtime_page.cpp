#include "tests/device/runtime/runtime_page.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace warpbook::tests {
namespace {

/// The text with a line's end in place of spaces, so that no line is longer than the page's other ones.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 120;
  std::string lines;
  while (text.size() > kColumns) {
    const std::size_t end = text.rfind(' ', kColumns);
    if (end == text.npos) break;
    lines += text.substr(0, end);
    lines += '\n';
    text.remove_prefix(end + 1);
  }
  return lines + std::string(text);
}

/// Functions of one kind in an area, as a paragraph; nothing where there are none.
std::string listed(std::string_view area, Support support, const char* title) {
  std::string names;
  for (const RuntimeFunction& f : runtime_functions()) {
    if (f.area != area || f.support != support) continue;
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", f.name);
  }
  return names.empty() ? "" : wrapped(fmt::format("{}: {}.", title, names)) + "\n\n";
}

std::string parts_of(std::string_view area) {
  std::string rows;
  for (const RuntimeFunction& f : runtime_functions()) {
    if (f.area == area && f.support == Support::part)
      rows += fmt::format("- `{}`: {}.\n", f.name, f.note);
  }
  return rows.empty() ? "" : "As documented, except for one thing:\n\n" + rows + "\n";
}

std::size_t count_of(Support support) {
  return static_cast<std::size_t>(
      std::ranges::count(runtime_functions(), support, &RuntimeFunction::support));
}

}  // namespace

const std::vector<RuntimeFunction>& runtime_functions() {
  static const std::vector<RuntimeFunction> all{
#define WHOLE(area, name) {Support::whole, #area, #name, ""},
#define PART(area, name, note) {Support::part, #area, #name, note},
#define SAME(area, name, as) {Support::same, #area, #name, #as},
#define ABSENT(area, name) {Support::absent, #area, #name, ""},
#include "device/runtime/functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
  };
  return all;
}

std::string runtime_page() {
  const std::string introduction =
      "`warpbook program` links a program with Warpbook's own CUDA runtime, a `libcudart.so.13` "
      "that runs kernels on a simulated GPU. It exports every function of CUDA 13.0's library, so "
      "that every program links. This page says which of them do their work as NVIDIA documents "
      "it, errors included; a program that calls another one gets `cudaErrorNotSupported`, and "
      "its report names the call. The names that end in `_ptds` and `_ptsz`, which "
      "`--default-stream per-thread` uses, do what the functions without that ending do: the "
      "default stream of a thread is the legacy one. The page is made from "
      "`device/runtime/functions.inc`, and a test holds it against that (`WARPBOOK_FIX=1` writes "
      "it anew).";
  std::string page = fmt::format(
      "# The CUDA runtime without a GPU\n\n{}\n\n| | functions |\n|---|---|\n| as documented | "
      "{} |\n| in part | {} |\n| under a second name | {} |\n| absent | {} |\n\n",
      wrapped(introduction), count_of(Support::whole), count_of(Support::part),
      count_of(Support::same), count_of(Support::absent));
  std::vector<std::string_view> areas;
  for (const RuntimeFunction& f : runtime_functions())
    if (std::ranges::find(areas, f.area) == areas.end()) areas.push_back(f.area);
  for (const std::string_view area : areas) {
    std::string title(area);
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    page += fmt::format("## {}\n\n", title) + listed(area, Support::whole, "As documented") +
            parts_of(area) + listed(area, Support::absent, "Absent");
  }
  page.pop_back();
  return page;
}

}  // namespace warpbook::tests
