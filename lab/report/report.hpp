// What a run has to say: an ordered list of named exhibits, with all that is needed to know what it is a report of.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/device.hpp"
#include "lab/model/exhibits.hpp"
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
  std::string device;  ///< "H200, simulated"
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

/// Text for a terminal: `width` columns, no escape codes unless `colour`.
std::string to_text(const Report& report, const Strings& strings, int width = 100,
                    bool colour = false);
std::string to_text(const Exhibit& exhibit, const Strings& strings, int width = 100);
/// A fragment of HTML with inline SVG; needs no script. `to_html_page` wraps it with its style.
std::string to_html(const Exhibit& exhibit, const Strings& strings);
std::string to_html(const Report& report, const Strings& strings);
/// The colours of a page: as the reader's system has them, or the same for everyone.
enum class PageTheme : std::uint8_t { automatic, dark, light };
/// A whole page round a fragment, with the book's style in dark and light; needs nothing from elsewhere.
std::string to_html_page(std::string_view title, std::string_view body, const Strings& strings,
                         PageTheme theme = PageTheme::automatic);
/// As lab/render/report.schema.json says. English whatever the language.
nlohmann::json to_json(const Report& report, const Strings& english);
nlohmann::json to_json(const Exhibit& exhibit, const Strings& english);
nlohmann::json to_json(const device::Error& error);

}  // namespace warpbook::lab
