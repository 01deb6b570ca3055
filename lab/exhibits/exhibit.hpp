// The kinds of exhibit, and what a run shows: plain values, never a drawing. Each kind is a folder beside this file, with
// what lab/markup/kind.hpp asks for, and has its panel in gui/exhibits/. A new kind is its two folders, one line below, one
// in gui/exhibits/panels.hpp, and its strings in each language.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "lab/exhibits/accesses/accesses.hpp"
#include "lab/exhibits/algorithms/algorithms.hpp"
#include "lab/exhibits/bars/bars.hpp"
#include "lab/exhibits/boundary/boundary.hpp"
#include "lab/exhibits/check/check.hpp"
#include "lab/exhibits/comparison/comparison.hpp"
#include "lab/exhibits/curve/curve.hpp"
#include "lab/exhibits/devices/devices.hpp"
#include "lab/exhibits/geometry/geometry.hpp"
#include "lab/exhibits/gpu/gpu.hpp"
#include "lab/exhibits/graph/graph.hpp"
#include "lab/exhibits/image/image.hpp"
#include "lab/exhibits/issue_slots/issue_slots.hpp"
#include "lab/exhibits/layers/layers.hpp"
#include "lab/exhibits/learning/learning.hpp"
#include "lab/exhibits/memories/memories.hpp"
#include "lab/exhibits/pareto/pareto.hpp"
#include "lab/exhibits/pipeline/pipeline.hpp"
#include "lab/exhibits/product/product.hpp"
#include "lab/exhibits/roofline/roofline.hpp"
#include "lab/exhibits/schedules/schedules.hpp"
#include "lab/exhibits/sectors/sectors.hpp"
#include "lab/exhibits/sliding_window/sliding_window.hpp"
#include "lab/exhibits/source/source.hpp"
#include "lab/exhibits/spaces/spaces.hpp"
#include "lab/exhibits/stack/stack.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/exhibits/text/text.hpp"
#include "lab/exhibits/tile/tile.hpp"
#include "lab/exhibits/timeline/timeline.hpp"
#include "lab/exhibits/timings/timings.hpp"
#include "lab/exhibits/trail/trail.hpp"
#include "lab/exhibits/tree/tree.hpp"
#include "lab/exhibits/warp_film/warp_film.hpp"

namespace warpbook::lab {

using ExhibitKinds = std::variant<
    TensorExhibit, GeometryExhibit, AccessesExhibit, ImageExhibit, SourceExhibit, TimingsExhibit,
    CheckExhibit, TextExhibit, SpacesExhibit, SectorsExhibit, StackExhibit, CurveExhibit,
    AlgorithmsExhibit, SlidingWindowExhibit, RooflineExhibit, TimelineExhibit, MemoriesExhibit,
    WarpFilmExhibit, IssueSlotsExhibit, SchedulesExhibit, TileExhibit, TrailExhibit, TreeExhibit,
    ProductExhibit, GraphExhibit, LayersExhibit, LearningExhibit, BoundaryExhibit,
    ComparisonExhibit, DevicesExhibit, PipelineExhibit, ParetoExhibit, BarsExhibit, GpuExhibit>;

/// Every kind has all that lab/markup/kind.hpp lists.
template <class... Kinds>
consteval bool are_kinds(const std::variant<Kinds...>* /*value*/) {
  static_assert((ExhibitKind<Kinds> && ...));
  return true;
}
static_assert(are_kinds(static_cast<const ExhibitKinds*>(nullptr)));

/// A value of one of the kinds, read as the variant that it is. It is made, copied and destroyed in exhibit.cpp alone: for so
/// many kinds that is much code, which each file that shows an exhibit would compile anew.
struct ExhibitValue : ExhibitKinds {
  ExhibitValue();
  template <class Kind>
  requires(ExhibitKind<Kind> && !std::same_as<Kind, ExhibitValue>)
      ExhibitValue(Kind value)  // as a variant is made of what it holds
      : ExhibitValue(of(std::move(value))) {}
  ExhibitValue(const ExhibitValue&);
  ExhibitValue(ExhibitValue&&) noexcept;
  ExhibitValue& operator=(const ExhibitValue&);
  ExhibitValue& operator=(ExhibitValue&&) noexcept;
  ~ExhibitValue();
  friend bool operator==(const ExhibitValue&, const ExhibitValue&);

  [[nodiscard]] ExhibitKinds& kinds() { return *this; }
  [[nodiscard]] const ExhibitKinds& kinds() const { return *this; }

 private:
  template <class Kind>
  static ExhibitValue of(Kind value);
  template <class... Kinds>
  static consteval bool made_of(const std::variant<Kinds...>* kinds);
};

struct Exhibit {
  static constexpr std::string_view kSchemaName = "exhibit";
  std::string id;  ///< unique in its report: "wires"; documents place it by this
  Message title;
  std::optional<device::Evidence> evidence;  ///< the badge; none for what is no figure (text)
  ExhibitValue value;

  // Written out, because GCC 12 would destroy an aggregate's title twice where the value's initialiser throws, as a cancelled
  // run's does.
  Exhibit();
  Exhibit(std::string named, Message titled, std::optional<device::Evidence> shown_by,
          ExhibitValue shown);
  Exhibit(const Exhibit&);
  Exhibit(Exhibit&&) noexcept;
  Exhibit& operator=(const Exhibit&);
  Exhibit& operator=(Exhibit&&) noexcept;
  ~Exhibit();
  friend bool operator==(const Exhibit&, const Exhibit&);
};

/// "tensor", "geometry", ...: its kKind.
std::string_view kind_of(const Exhibit& exhibit);

/// A sentence or two that say what its data shows: caption in the window, alternative text in HTML, first line in the
/// terminal.
std::string sentence(const Exhibit& exhibit, const Strings& strings);

/// A text that says something: it is shown itself, and a sentence before it would only repeat its first line.
bool is_text(const Exhibit& exhibit);
/// One that is no code: in HTML, too, it is its own caption.
bool is_plain_text(const Exhibit& exhibit);

template <class V>
void fields(V&& visit, Is<Exhibit> auto& v) {
  visit("id", v.id);
  visit("title", v.title);
  visit("evidence", v.evidence);
  visit("value", v.value.kinds());
}
void extras(JsonExtras& json, const Exhibit& exhibit);

}  // namespace warpbook::lab
