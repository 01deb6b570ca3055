// What this computer has of what CUDA needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What a machine has of what CUDA needs: what compiles, and what kernels run on, the highest part first; and which fit.
struct StackExhibit {
  static constexpr std::string_view kKind = "stack";
  enum class Side : std::uint8_t { compile, gpu, cpu };  ///< what it is for: to compile, to run
  enum class State : std::uint8_t { here, missing, unusable };
  struct Part {
    std::string id;  ///< "driver"
    Message name;
    Side side = Side::compile;
    State state = State::here;
    std::vector<std::string> found;      ///< version, file, in this order; empty: it is not here
    std::optional<device::Error> error;  ///< why it is not here, or cannot be used
    Message missing;                     ///< the same where no error says it
    std::string remedy;                  ///< the one command that mends it; may be empty
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Fit {
    std::string part, with;  ///< ids of parts; of two that do not fit, `part` is to be mended
    bool fits = false;
    Message text;
    friend bool operator==(const Fit&, const Fit&) = default;
  };
  std::vector<Part> parts;
  std::vector<Fit> fits;
  bool gpu_usable = false;  ///< kernels run on a GPU of this machine
  std::string when;         ///< it was looked at; ISO 8601, UTC
  friend bool operator==(const StackExhibit&, const StackExhibit&) = default;
};

constexpr auto enum_names(StackExhibit::Side) {
  return device::checked_names<StackExhibit::Side>("compile", "gpu", "cpu");
}

constexpr auto enum_names(StackExhibit::State) {
  return device::checked_names<StackExhibit::State>("here", "missing", "unusable");
}

template <class V>
void fields(V&& visit, Is<StackExhibit::Part> auto& v) {
  visit("id", v.id);
  visit("name", v.name);
  visit("side", v.side);
  visit("state", v.state);
  visit("found", v.found);
  visit("error", v.error);
  visit("missing", v.missing);
  visit("remedy", v.remedy);
}

template <class V>
void fields(V&& visit, Is<StackExhibit::Fit> auto& v) {
  visit("part", v.part);
  visit("with", v.with);
  visit("fits", v.fits);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<StackExhibit> auto& v) {
  visit("parts", v.parts);
  visit("fits", v.fits);
  visit("gpu_usable", v.gpu_usable);
  visit("when", v.when);
}

void extras(JsonExtras& json, const StackExhibit::Part& part);

std::string sentence_of(const StackExhibit& stack, const Strings& strings);
void text_body(const StackExhibit& stack, const Strings& strings, Page& page);
std::string html_body(const StackExhibit& stack, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<StackExhibit> kind);
Table table_of(const StackExhibit& stack, const Strings& strings);
void compare(const StackExhibit& a, const StackExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
