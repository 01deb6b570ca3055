// The picture of a graph under a track that walks it, and in words the step, or what the node did that is pointed at.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/track.hpp"
#include "lab/exhibits/graph/graph_picture.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using Graph = lab::GraphExhibit;

constexpr float kGraphWords = 108;  ///< five lines: a step may have several launches

class GraphPanel {
 public:
  GraphPanel(const FigureArea& area, const Graph& graph, const lab::GraphPlane& plane)
      : area_(area),
        ui_(area.ui),
        graph_(graph),
        plane_(plane),
        steps_(lab::steps_of(graph)),
        // Before the first step, and after each.
        track_(area, steps_.size() + 1, steps_.size()) {}

  void draw() {
    track_.draw();
    const FigureArea below{
        ui_, {area_.corner.x, area_.corner.y + Track::kHeight}, area_.width, true};
    const std::optional<std::size_t> over = point_at_nodes(below);
    const std::size_t done = track_.step();
    draw_kept(below, &graph_, FigureInputs(std::uint64_t{done}),
              [&] { return drawing_of(graph_, plane_, done, canvas_for(below)); });
    const float top = below.corner.y + static_cast<float>(plane_.height()) + 6;
    words({ui_, {area_.corner.x, top}, area_.width, true}, says(over, done), ui_.caption_style());
  }

 private:
  /// After how many steps of the walk the node has its value, or has gone back.
  [[nodiscard]] std::optional<std::size_t> after(std::size_t node, bool backward) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].node == node && steps_[i].backward == backward) return i + 1;
    }
    return {};
  }

  /// The node under the mouse. A press goes to the step that made it, a second one to the one that went back through it.
  std::optional<std::size_t> point_at_nodes(const FigureArea& below) {
    const bool pressed = item_over("nodes", below.corner, {0, 0, plane_.width(), plane_.height()});
    track_.step_by_keys();
    if (!ImGui::IsItemHovered()) return {};
    const std::optional<std::size_t> over = plane_.node_at(mouse_in(below.corner));
    if (!over || !pressed) return over;
    const auto made = after(*over, false), back = after(*over, true);
    if (made) track_.go_to(track_.step() == *made && back ? *back : *made);
    return over;
  }

  /// Of a node what it did so far, the last of it; else the step that the track stands at.
  [[nodiscard]] std::string says(const std::optional<std::size_t>& over, std::size_t done) const {
    const lab::Strings& strings = ui_.book.strings();
    std::size_t told = done;
    if (over) {
      for (const bool backward : {true, false}) {
        const auto step = after(*over, backward);
        if (!step || *step > done) continue;
        told = *step;
        break;
      }
    }
    const std::string step =
        told == 0 ? ui_.tr("graph.begin") : step_text(graph_, steps_[told - 1], strings);
    return lab::sentences(strings, std::array{step, ui_.tr("gui.graph.how")});
  }

  const FigureArea& area_;
  const Ui& ui_;
  const Graph& graph_;
  const lab::GraphPlane& plane_;
  std::vector<lab::GraphStep> steps_;
  Track track_;
};
}  // namespace

float figure_of(const FigureArea& area, const Graph& graph, const std::string& /*id*/) {
  if (graph.nodes.empty()) return words(area, area.ui.tr("graph.nothing"), area.ui.caption_style());
  const auto& plane = kept_layout<lab::GraphPlane>(
      area, &graph, [&] { return lab::GraphPlane(graph, static_cast<double>(area.width)); });
  if (area.draw) GraphPanel(area, graph, plane).draw();
  return Track::kHeight + static_cast<float>(plane.height()) + kGraphWords;
}

}  // namespace warpbook::gui
