#include "lessons/calls.hpp"

#include <utility>

#include "lessons/common.hpp"

namespace warpbook::lessons {

void show_calls(lab::Lab& lab, lab::Message calls, const device::Evidence& counted) {
  lab.show({"calls",
            {"run.calls.title"},
            counted,
            lab::TextExhibit{{"run.calls.list", {{"calls", std::move(calls)}}}, true}});
}

std::vector<lab::LiveFigure> call_figures() {
  return {{"allocations", [](const lab::Report& r) { return calls_of(r, "allocate"); }},
          {"copies", [](const lab::Report& r) { return calls_of(r, "copy"); }},
          {"launches", [](const lab::Report& r) { return calls_of(r, "launch"); }}};
}

}  // namespace warpbook::lessons
