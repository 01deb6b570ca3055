#include "lab/exhibits/graph/graph_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace warpbook::lab {
namespace {

using Node = GraphExhibit::Node;
using Face = Letters::Face;

constexpr double kBoxHigh = 62, kWidestBox = 190, kBoxApart = 18, kRowHigh = 116, kTopMargin = 2,
                 kInset = 8, kNameLine = 14, kValueLine = 33, kGradientLine = 50, kRadius = 5,
                 kArrowLong = 8, kArrowHalf = 4, kBackBeside = 9, kLabelBeside = 5,
                 kWidestLabel = 84, kLabelHigh = 14, kBend = 0.45;
constexpr Letters kNodeName{Face::mono, 14, true}, kNodeOperation{Face::sans, 12},
    kNodeFigures{Face::mono, 12}, kWayFigures{Face::mono, 12};
// As everywhere in the book: what goes on to the device, and what comes back from it.
constexpr Role kForward = Role::category_1, kBack = Role::category_2;

/// How many rows from the top: below all inputs. What was put in stands right above the first that uses it.
std::vector<std::size_t> rows_of(const GraphExhibit& graph) {
  std::vector<std::size_t> rows(graph.nodes.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const GraphExhibit::Input& input : graph.nodes[i].inputs)
      rows[i] = std::max(rows[i], rows[input.node] + 1);
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!graph.nodes[i].operation.empty()) continue;
    for (std::size_t user = i + 1; user < graph.nodes.size(); ++user) {
      const bool uses = std::ranges::any_of(graph.nodes[user].inputs,
                                            [&](const auto& input) { return input.node == i; });
      if (!uses) continue;
      rows[i] = rows[user] - 1;
      break;
    }
  }
  return rows;
}

/// The nodes of each row from left to right, operations before what was put in beside them.
std::vector<std::vector<std::size_t>> arranged(const GraphExhibit& graph) {
  const std::vector<std::size_t> rows = rows_of(graph);
  std::vector<std::vector<std::size_t>> arranged(
      rows.empty() ? 0 : *std::ranges::max_element(rows) + 1);
  for (const bool operations : {true, false}) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (graph.nodes[i].operation.empty() != operations) arranged[rows[i]].push_back(i);
    }
  }
  return arranged;
}

class GraphDrawing {
 public:
  GraphDrawing(const GraphExhibit& graph, const GraphPlane& plane, std::size_t done,
               const Canvas& canvas)
      : graph_(graph), plane_(plane), canvas_(canvas), known_(graph, done) {
    drawing_.width = plane.width();
    drawing_.height = plane.height();
    const std::vector<GraphStep> steps = steps_of(graph);
    if (done > 0 && done < steps.size()) at_ = steps[done - 1];
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) place_ways(i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) place_box(i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) place_labels(i);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_ways(std::size_t number) {
    const Node& node = graph_.nodes[number];
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const auto& [from, to] = plane_.way(number, input);
      place_arrow(from, to, known_.value(number) ? Paint(kForward) : Paint(Role::line), kThrough);
      if (node.inputs[input].gradient && known_.went_back(number))
        place_arrow({to.x + kBackBeside, to.y}, {from.x + kBackBeside, from.y}, kBack, kDashes);
    }
  }

  /// A curve that leaves and arrives upright, with its head.
  void place_arrow(const Point& from, const Point& to, const Paint& paint, Dash dash) {
    const double down = to.y > from.y ? 1 : -1, bend = kBend * std::abs(to.y - from.y) * down;
    const Point base{to.x, to.y - kArrowLong * down};
    drawing_.curve({from, Point{from.x, from.y + bend}, Point{base.x, base.y - bend}, base},
                   {paint, 2, dash});
    drawing_.polygon({to, {base.x - kArrowHalf, base.y}, {base.x + kArrowHalf, base.y}}, paint);
  }

  /// Beside each way back what came back along it, close to the box that it came from.
  void place_labels(std::size_t number) {
    const Node& node = graph_.nodes[number];
    if (!known_.went_back(number)) return;
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      if (!node.inputs[input].gradient) continue;
      const Point at = plane_.way(number, input).to;
      const Point left{at.x + kBackBeside + kLabelBeside, at.y - kLabelHigh};
      const double room = std::min(kWidestLabel, plane_.width() - left.x);
      const std::string says =
          canvas_.fitted(kWayFigures, elements_text(*node.inputs[input].gradient), room);
      const double wide = canvas_.text_width(kWayFigures, says);
      drawing_.rectangle({left.x - 2, left.y - kLabelHigh / 2, wide + 4, kLabelHigh}, Role::s1);
      drawing_.text(left, says, kWayFigures, Role::t1);
    }
  }

  void place_box(std::size_t number) {
    const Node& node = graph_.nodes[number];
    const Area& at = plane_.box(number);
    const bool now = at_ && at_->node == number;
    drawing_.rectangle(at, now ? Role::accent_tint : Role::s2, kRadius);
    DrawnItem& outline =
        drawing_.outline(at,
                         {now ? Role::accent : Role::line, now ? 2.5 : 1,
                          node.operation.empty() && !node.wants_gradient ? kFineDashes : kThrough},
                         kRadius);
    outline.title = title_of(node);
    outline.id = ItemId{"node", number};
    const double left = at.x + kInset, right = at.right() - kInset;
    const std::string operation =
        node.operation.empty() ? graph_shape_text(node.value) : node.operation;
    const double beside = canvas_.text_width(kNodeOperation, operation);
    drawing_.text({left, at.y + kNameLine},
                  canvas_.fitted(kNodeName, node.name, right - left - beside - kInset), kNodeName,
                  Role::t1);
    drawing_.text({right, at.y + kNameLine}, operation, kNodeOperation, Role::t3, Anchor::right);
    if (known_.value(number))
      place_figures({left, at.y + kValueLine}, right - left, "graph.value", kForward, node.value);
    if (known_.gradient(number))
      place_figures({left, at.y + kGradientLine}, right - left, "graph.gradient", kBack,
                    *node.gradient);
  }

  /// A spot in the colour of its way, what it is, and the numbers.
  void place_figures(const Point& at, double room, const char* key, Role colour,
                     const GraphExhibit::Data& data) {
    constexpr double kSpot = 8, kBehindSpot = 13;
    drawing_.rectangle({at.x, at.y - kSpot / 2, kSpot, kSpot}, colour, 2);
    const std::string name = canvas_.strings(key), says = elements_text(data);
    const double wide = canvas_.text_width(kNodeFigures, says);
    const double left = room - kBehindSpot - wide;
    drawing_.text({at.x + kBehindSpot, at.y},
                  canvas_.fitted(kNodeOperation, name, std::max(0.0, left - kInset)),
                  kNodeOperation, Role::t3);
    const bool beside = canvas_.text_width(kNodeOperation, name) + kInset <= left;
    const double from = beside ? room - std::min(wide, room - kBehindSpot) : kBehindSpot;
    if (!beside) drawing_.items.pop_back();
    drawing_.text({at.x + from, at.y}, canvas_.fitted(kNodeFigures, says, room - from),
                  kNodeFigures, Role::t1);
  }

  [[nodiscard]] std::string title_of(const Node& node) const {
    return node.name + (node.operation.empty() ? "" : ", " + node.operation);
  }

  const GraphExhibit& graph_;
  const GraphPlane& plane_;
  const Canvas& canvas_;
  GraphKnowledge known_;
  std::optional<GraphStep> at_;  ///< the last step, while there are further ones
  Drawing drawing_;
};

}  // namespace

GraphPlane::GraphPlane(const GraphExhibit& graph, double width) : width_(width) {
  place_boxes(graph);
  place_ways(graph);
}

void GraphPlane::place_boxes(const GraphExhibit& graph) {
  boxes_.resize(graph.nodes.size());
  const auto rows = arranged(graph);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double share = width_ / static_cast<double>(rows[row].size());
    const double wide = std::min(kWidestBox, share - kBoxApart);
    for (std::size_t i = 0; i < rows[row].size(); ++i) {
      const double middle = share * (static_cast<double>(i) + 0.5);
      boxes_[rows[row][i]] = {middle - wide / 2, kTopMargin + kRowHigh * static_cast<double>(row),
                              wide, kBoxHigh};
    }
  }
  const auto gaps = static_cast<double>(std::max<std::size_t>(1, rows.size()) - 1);
  height_ = rows.empty() ? 0 : 2 * kTopMargin + gaps * kRowHigh + kBoxHigh;
}

/// The ways into a box share its top, and those out of a box its bottom.
void GraphPlane::place_ways(const GraphExhibit& graph) {
  std::vector<double> users(graph.nodes.size(), 0), placed(graph.nodes.size(), 0);
  for (const Node& node : graph.nodes) {
    for (const GraphExhibit::Input& input : node.inputs) ++users[input.node];
  }
  const auto share = [](const Area& box, double number, double of) {
    return box.x + box.width * (number + 1) / (of + 1);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& inputs = graph.nodes[i].inputs;
    std::vector<Way> ways;
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      const std::size_t from = inputs[input].node;
      const Area &source = boxes_[from], &target = boxes_[i];
      ways.push_back(
          {{share(source, placed[from]++, users[from]), source.bottom()},
           {share(target, static_cast<double>(input), static_cast<double>(inputs.size())),
            target.y}});
    }
    ways_.push_back(std::move(ways));
  }
}

std::optional<std::size_t> GraphPlane::node_at(const Point& point) const {
  const auto over = std::ranges::find_if(boxes_, [&](const Area& box) { return box.holds(point); });
  if (over == boxes_.end()) return {};
  return static_cast<std::size_t>(over - boxes_.begin());
}

Drawing drawing_of(const GraphExhibit& graph, const GraphPlane& plane, std::size_t done,
                   const Canvas& canvas) {
  return GraphDrawing(graph, plane, done, canvas).take();
}

}  // namespace warpbook::lab
