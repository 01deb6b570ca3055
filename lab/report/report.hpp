// What a run has to say: an ordered list of named exhibits, with all that is needed to know what it is a report of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/model/parameter.hpp"

namespace warpbook::lab {

/// All that a run depends on.
struct Inputs {
  Values values;
  std::map<std::string, std::string>
      sources;  ///< by slot: the reader's version; absent: the original
  std::string gpu{device::kDefaultGpu};
  std::string device = "simulator";
  std::uint64_t seed = 0;
  friend bool operator==(const Inputs&, const Inputs&) = default;
};
/// A stable hash of everything in `inputs`. A result whose hash differs from what is on screen is stale.
std::uint64_t hash_of(const Inputs& inputs);

struct Report {
  std::string subject;  ///< the chapter's slug or the exercise's id
  Inputs inputs;
  std::uint64_t inputs_hash = 0;
  Message device;  ///< "H200, simulated"
  std::vector<Exhibit> exhibits;
  std::vector<device::Error>
      errors;  ///< why exhibits are missing; a run that failed still reports what it has
  double compile_seconds = 0, run_seconds = 0;
  std::string when;  ///< ISO 8601, UTC

  [[nodiscard]] const Exhibit* find(std::string_view id) const;
  /// The value of exhibit `id` where it is of kind T.
  template <class T>
  [[nodiscard]] const T* find_as(std::string_view id) const {
    const Exhibit* exhibit = find(id);
    return exhibit ? std::get_if<T>(&exhibit->value) : nullptr;
  }
  friend bool operator==(const Report&, const Report&) = default;
};

template <class V>
void fields(V&& visit, Is<Inputs> auto& v) {
  visit("values", v.values);
  visit("sources", v.sources);
  visit("gpu", v.gpu);
  visit("device", v.device);
  visit("seed", v.seed);
}

template <class V>
void fields(V&& visit, Is<Report> auto& v) {
  visit("subject", v.subject);
  visit("inputs", v.inputs);
  visit("inputs_hash", v.inputs_hash);
  visit("device", v.device);
  visit("exhibits", v.exhibits);
  visit("errors", v.errors);
  visit("compile_seconds", v.compile_seconds);
  visit("run_seconds", v.run_seconds);
  visit("when", v.when);
}

void extras(JsonExtras& json, const Inputs& inputs);
void extras(JsonExtras& json, const Report& report);

/// Where a run was and how long it took; nothing of compiling where nothing was compiled.
std::string run_summary(const Strings& strings, const Report& report);

}  // namespace warpbook::lab
