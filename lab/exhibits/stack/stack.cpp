#include <algorithm>

#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

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

std::string_view name_of(StackExhibit::Side side) {
  switch (side) {
    case StackExhibit::Side::compile: return "compile";
    case StackExhibit::Side::gpu: return "gpu";
    case StackExhibit::Side::cpu: return "cpu";
  }
  __builtin_unreachable();
}

std::string_view name_of(StackExhibit::State state) {
  switch (state) {
    case StackExhibit::State::here: return "here";
    case StackExhibit::State::missing: return "missing";
    case StackExhibit::State::unusable: return "unusable";
  }
  __builtin_unreachable();
}

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

}  // namespace warpbook::lab
