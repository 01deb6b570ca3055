#include "lab/exhibits/stack/stack.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

std::vector<std::string> names_in(const StackExhibit& stack, StackExhibit::State state,
                                  const Strings& strings) {
  std::vector<std::string> names;
  for (const StackExhibit::Part& part : stack.parts) {
    if (part.state == state) names.push_back(strings(part.name));
  }
  return names;
}

bool compiles(const StackExhibit& stack) {
  return std::ranges::any_of(stack.parts, [](const StackExhibit::Part& part) {
    return part.id == "nvrtc" && part.state == StackExhibit::State::here;
  });
}

}  // namespace

std::string state_key(StackExhibit::State state) {
  return "stack.state." + std::string(name_of(state));
}

std::string fit_text(const StackExhibit::Fit& fit, const Strings& strings) {
  return strings(fit.fits ? "stack.fit" : "stack.misfit", {{"text", strings(fit.text)}});
}

std::string problem_of(const StackExhibit::Part& part, const Strings& strings) {
  return part.error ? strings(*part.error) : strings(part.missing);
}

std::string name_of_part(const StackExhibit& stack, std::string_view id, const Strings& strings) {
  const auto part = std::ranges::find(stack.parts, id, &StackExhibit::Part::id);
  return part == stack.parts.end() ? std::string(id) : strings(part->name);
}

std::vector<StackSide> sides_of(const StackExhibit& stack) {
  using Side = StackExhibit::Side;
  std::vector<StackSide> sides;
  for (const Side side : {Side::compile, Side::gpu, Side::cpu}) {
    StackSide one{side, {}};
    for (const StackExhibit::Part& part : stack.parts) {
      if (part.side == side) one.parts.push_back(&part);
    }
    if (!one.parts.empty()) sides.push_back(std::move(one));
  }
  return sides;
}

std::string sentence_of(const StackExhibit& stack, const Strings& strings) {
  if (stack.parts.empty()) return strings("stack.empty");
  std::vector<std::string> parts;
  if (!compiles(stack)) {
    parts.push_back(strings("stack.no-compiler"));
  } else {
    parts.push_back(strings(stack.gpu_usable ? "stack.gpu" : "stack.cpu"));
  }
  const auto tell = [&](std::string_view key, StackExhibit::State state) {
    const std::vector<std::string> names = names_in(stack, state, strings);
    if (!names.empty()) parts.push_back(strings(key, {{"parts", joined(strings, names)}}));
  };
  tell("stack.missing", StackExhibit::State::missing);
  tell("stack.unusable", StackExhibit::State::unusable);
  return sentences(strings, parts);
}

Table table_of(const StackExhibit& stack, const Strings& strings) {
  Table table{{strings("table.part"), strings("table.state"), strings("table.found"),
               strings("table.said"), strings("table.remedy")},
              {}};
  for (const StackExhibit::Part& part : stack.parts) {
    table.rows.push_back({strings(part.name), strings(state_key(part.state)),
                          fmt::format("{}", fmt::join(part.found, "; ")), problem_of(part, strings),
                          part.remedy});
  }
  for (const StackExhibit::Fit& fit : stack.fits) {
    table.rows.push_back(
        {name_of_part(stack, fit.part, strings) + " + " + name_of_part(stack, fit.with, strings),
         strings(fit.fits ? "machine.fits" : "machine.misfits"), "", strings(fit.text), ""});
  }
  return table;
}

// What this computer has is the same for both runs.
void compare(const StackExhibit&, const StackExhibit&, Comparer&) {}

void extras(JsonExtras& json, const StackExhibit::Part& part) {
  json("problem", [&](const Strings& english) { return problem_of(part, english); });
}

std::string_view style_of(std::type_identity<StackExhibit> /*kind*/) {
  return R"css(.wb-stack ul { margin: 0 0 8px; padding: 0; list-style: none; clear: both; }
.wb-stack li { margin: 0 0 2px; padding: 4px 10px; border-left: 3px solid var(--ok); background: var(--s3); overflow-wrap: anywhere; }
.wb-stack li.wb-missing { border-left: 3px dashed var(--t4); background: none; }
.wb-stack li.wb-unusable { border-left-color: var(--bad); background: var(--bad-tint); }
.wb-stack h4 { margin: 8px 0 4px; font-size: 14px; color: var(--t2); }
)css";
}

}  // namespace warpbook::lab
