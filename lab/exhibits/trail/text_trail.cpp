#include <algorithm>
#include <string>
#include <string_view>

#include "lab/exhibits/trail/trail.hpp"
#include "lab/markup/drawing.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kMarks = 6;  ///< columns of a step's mark and number
constexpr int kLeastCode = 12;
constexpr std::string_view kCause = "✗", kTold = "►", kRuns = "|", kLaunched = "+",
                           kSuccess = "cudaSuccess";

/// "+ correct" where a kernel is launched, "|" while it runs, "+" where the host has waited for it.
std::string kernel_column(const TrailExhibit& trail, std::size_t step) {
  std::string text;
  for (const TrailExhibit::Kernel& kernel : trail.kernels) {
    if (step == kernel.launched)
      text += std::string(kLaunched) + " " + kernel.name;
    else if (step == kernel.done)
      text += text.empty() ? kLaunched : "";
    else if (step > kernel.launched && step < kernel.done && text.empty())
      text += kRuns;
  }
  return text;
}

std::string as_wide_as(int columns, std::string_view text) {
  return fitted(text, columns,
                [](std::string_view part) { return static_cast<double>(columns_of(part)); });
}

}  // namespace

/// A line for each step: its mark, its number, the code, what it returned, and the kernels that run meanwhile.
void text_body(const TrailExhibit& trail, const Strings& strings, Page& page) {
  if (trail.steps.empty()) return;
  int code = 0, returned = static_cast<int>(kSuccess.size()), kernels = 0;
  for (std::uint32_t i = 0; i < trail.steps.size(); ++i) {
    code = std::max(code, columns_of(trail.steps[i].code));
    returned = std::max(returned, columns_of(trail.steps[i].returned));
    kernels = std::max(kernels, columns_of(kernel_column(trail, i)));
  }
  // On a narrow page the end of the code has no room.
  code = std::min(code, std::max(kLeastCode, page.width() - kMarks - returned - 4 - kernels));
  for (std::uint32_t i = 0; i < trail.steps.size(); ++i) {
    const TrailExhibit::Step& step = trail.steps[i];
    const bool cause = trail.cause == i, told = trail.told == i;
    const std::string mark = std::string(cause ? kCause : told ? kTold : " ");
    const std::string says = step.reached ? step.returned : "";
    page.line(page.ink(Ink::bad, mark) +
              page.ink(Ink::quiet, padded_left(std::to_string(i + 1), 3)) + "  " +
              page.ink(step.reached ? Ink::plain : Ink::quiet,
                       padded(as_wide_as(code, step.code), code + 2)) +
              page.ink(step.failed ? Ink::bad : Ink::good, padded(says, returned + 2)) +
              kernel_column(trail, i));
  }
  page.paragraph(strings("trail.legend"), 2, Ink::quiet);
}

}  // namespace warpbook::lab
