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

using Table = std::vector<TableFunction>;

/// Functions of one kind in an area, as a paragraph; nothing where there are none.
std::string listed(const Table& table, std::string_view area, Support support, const char* title) {
  std::string names;
  for (const TableFunction& f : table) {
    if (f.area != area || f.support != support) continue;
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", f.name);
  }
  return names.empty() ? "" : wrapped(fmt::format("{}: {}.", title, names)) + "\n\n";
}

std::string parts_of(const Table& table, std::string_view area) {
  std::string rows;
  for (const TableFunction& f : table) {
    if (f.area == area && f.support == Support::part)
      rows += fmt::format("- `{}`: {}.\n", f.name, f.note);
  }
  return rows.empty() ? "" : "As documented, except for one thing:\n\n" + rows + "\n";
}

std::size_t count_of(const Table& table, Support support) {
  return static_cast<std::size_t>(std::ranges::count(table, support, &TableFunction::support));
}

/// "Virtual memory"
std::string title_of(std::string_view area) {
  std::string title(area);
  std::ranges::replace(title, '-', ' ');
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string page_of(const Table& table, std::string_view title, std::string_view introduction) {
  std::string page = fmt::format(
      "# {}\n\n{}\n\n| | functions |\n|---|---|\n| as documented | "
      "{} |\n| in part | {} |\n| under a second name | {} |\n| absent | {} |\n\n",
      title, wrapped(introduction), count_of(table, Support::whole), count_of(table, Support::part),
      count_of(table, Support::same), count_of(table, Support::absent));
  std::vector<std::string_view> areas;
  for (const TableFunction& f : table)
    if (std::ranges::find(areas, f.area) == areas.end()) areas.push_back(f.area);
  for (const std::string_view area : areas) {
    page += fmt::format("## {}\n\n", title_of(area)) +
            listed(table, area, Support::whole, "As documented") + parts_of(table, area) +
            listed(table, area, Support::absent, "Absent");
  }
  page.pop_back();
  return page;
}

}  // namespace

const std::vector<TableFunction>& runtime_functions() {
  static const Table all{
#define WHOLE(area, name) {Support::whole, #area, #name, ""},
#define PART(area, name, note) {Support::part, #area, #name, note},
#define SAME(area, name, as) {Support::same, #area, #name, #as},
#define ABSENT(area, name) {Support::absent, #area, #name, ""},
#include "device/runtime/functions.inc"
  };
  return all;
}

const std::vector<TableFunction>& driver_functions() {
  static const Table all{
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
  };
  return all;
}

std::string runtime_page() {
  return page_of(
      runtime_functions(), "The CUDA runtime without a GPU",
      "`warpbook program` links a program with Warpbook's own CUDA runtime, a `libcudart.so.13` "
      "that runs kernels on a simulated GPU. It exports every function of CUDA 13.0's library, so "
      "that every program links. This page says which of them do their work as NVIDIA documents "
      "it, errors included; a program that calls another one gets `cudaErrorNotSupported`, and "
      "its report names the call. The names that end in `_ptds` and `_ptsz`, which "
      "`--default-stream per-thread` uses, do what the functions without that ending do: the "
      "default stream of a thread is the legacy one. The page is made from "
      "`device/runtime/functions.inc`, and a test holds it against that (`WARPBOOK_FIX=1` writes "
      "it anew). The driver API has [a page of its own](cuda-driver.md).");
}

std::string driver_page() {
  return page_of(
      driver_functions(), "The CUDA driver API without a GPU",
      "The same library that is Warpbook's [CUDA runtime](cuda-runtime.md) has the functions of "
      "the driver API, from `cuInit` to `cuLaunchKernel`, and is `libcuda.so.1` as well for who "
      "asks for that. Both APIs can be mixed in one program: they share contexts, memory, "
      "streams, events, graphs and kernels, as CUDA documents it. This page says which functions "
      "do their work as NVIDIA documents it, errors included; a program that calls another one "
      "gets `CUDA_ERROR_NOT_SUPPORTED`, and its report names the call. Names are those that the "
      "library exports. `cuda.h` gives programs the newest form of a function without its "
      "version, so that a program which calls `cuMemAlloc` calls `cuMemAlloc_v2`; the forms "
      "before it are for programs that were compiled with an older CUDA. The page is made from "
      "`device/runtime/driver_functions.inc`, and a test holds it against that (`WARPBOOK_FIX=1` "
      "writes it anew).");
}

}  // namespace warpbook::tests
