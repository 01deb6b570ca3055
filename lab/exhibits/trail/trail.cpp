#include "lab/exhibits/trail/trail.hpp"

#include <algorithm>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

/// "line 8", as sentences name a step.
std::uint64_t line_of(std::uint32_t step) { return std::uint64_t{step} + 1; }

/// Who caused it: a line, or a kernel that a line launched.
std::string cause_text(const TrailExhibit& trail, const Strings& strings) {
  const MessageArguments line{{"line", grouped(line_of(*trail.cause))}};
  if (!trail.cause_kernel) return strings("trail.cause", line);
  MessageArguments arguments = line;
  arguments.emplace_back("kernel", trail.kernels[*trail.cause_kernel].name);
  return strings("trail.cause-kernel", arguments);
}

Message told_message(const TrailExhibit& trail) {
  if (!trail.cause) return {"trail.clean", {}, {}};
  if (!trail.told) return {"trail.untold", {}, {}};
  return {"trail.told",
          {{"line", grouped(line_of(*trail.told))}, {"error", trail.steps[*trail.told].returned}},
          {}};
}

}  // namespace

std::uint64_t returning_steps(const TrailExhibit& trail) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      trail.steps, [](const auto& step) { return step.reached && !step.returned.empty(); }));
}

std::uint64_t failed_steps(const TrailExhibit& trail) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(trail.steps, [](const auto& step) { return step.failed; }));
}

std::string step_text(const TrailExhibit& trail, std::size_t number, const Strings& strings) {
  const TrailExhibit::Step& step = trail.steps[number];
  std::vector<std::string> parts{
      strings("trail.step", {{"line", grouped(number + 1)}, {"code", step.code}})};
  if (!step.reached)
    parts.push_back(strings("trail.unreached"));
  else if (!step.returned.empty())
    parts.push_back(strings("trail.returns", {{"error", step.returned}}));
  for (const TrailExhibit::Kernel& kernel : trail.kernels) {
    if (!step.reached) break;
    if (kernel.launched == number)
      parts.push_back(strings("trail.launches", {{"kernel", kernel.name}}));
    else if (kernel.done == number)
      parts.push_back(strings("trail.waits", {{"kernel", kernel.name}}));
    else if (kernel.launched < number && number < kernel.done)
      parts.push_back(strings("trail.runs", {{"kernel", kernel.name}}));
  }
  if (trail.cause == number) parts.push_back(strings(trail.how));
  return sentences(strings, parts);
}

std::string sentence_of(const TrailExhibit& trail, const Strings& strings) {
  if (trail.steps.empty()) return strings("trail.nothing");
  const std::string count = strings("trail.count", {{"failed", grouped(failed_steps(trail))},
                                                    {"calls", grouped(returning_steps(trail))}});
  if (!trail.cause) return sentences(strings, std::vector{strings("trail.clean"), count});
  return sentences(strings, std::vector{cause_text(trail, strings), strings(trail.how),
                                        strings(told_message(trail)), count});
}

Table table_of(const TrailExhibit& trail, const Strings& strings) {
  Table table{
      {strings("trail.head.line"), strings("trail.head.code"), strings("trail.head.returned"),
       strings("trail.head.kernels"), strings("trail.head.mark")},
      {}};
  for (std::uint32_t i = 0; i < trail.steps.size(); ++i) {
    std::vector<std::string> kernels;
    for (const TrailExhibit::Kernel& kernel : trail.kernels) {
      if (kernel.launched <= i && i <= kernel.done) kernels.push_back(kernel.name);
    }
    const char* mark = trail.cause == i  ? "trail.mark.cause"
                       : trail.told == i ? "trail.mark.told"
                                         : "";
    const TrailExhibit::Step& step = trail.steps[i];
    table.rows.push_back({std::to_string(i + 1), step.code,
                          step.reached ? step.returned : strings("trail.mark.unreached"),
                          kernels.empty() ? "" : joined(strings, kernels),
                          *mark ? strings(mark) : ""});
  }
  return table;
}

void compare(const TrailExhibit& a, const TrailExhibit& b, Comparer& comparer) {
  comparer.figure("failed_calls", figure_of(failed_steps(a)), figure_of(failed_steps(b)));
  const Message in_a = told_message(a), in_b = told_message(b);
  if (!(in_a == in_b)) comparer.words(in_a, in_b, false);
}

bool valid(const TrailExhibit& v) {
  const auto is_step = [&](std::uint32_t step) { return step < v.steps.size(); };
  if (v.cause && !is_step(*v.cause)) return false;
  if (v.told && (!is_step(*v.told) || !v.cause || *v.told < *v.cause)) return false;
  if (v.cause_kernel && (!v.cause || *v.cause_kernel >= v.kernels.size())) return false;
  return std::ranges::all_of(v.kernels, [&](const auto& kernel) {
    return kernel.launched <= kernel.done && is_step(kernel.done);
  });
}

}  // namespace warpbook::lab
