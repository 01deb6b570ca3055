#include "lab/exhibits/tree/tree_picture.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr double kTreeHead = 24, kTreeRow = 38, kTreeNames = 74, kTreeParts = 22,
                 kTreeThreadsShare = 0.34, kTreeWidestThread = 6, kTreeWidestPlace = 14,
                 kTreeWarpGap = 3, kTreeNodeHigh = 9, kTreeThreadHigh = 14;
constexpr Letters kTreeName{Letters::Face::sans, 13}, kTreeNote{Letters::Face::sans, 11};

class TreeDrawing {
 public:
  TreeDrawing(const TreeExhibit& tree, const TreePlane& plane,
              const std::optional<std::size_t>& shown, const Canvas& canvas)
      : tree_(tree), plane_(plane), canvas_(canvas), row_of_(tree.places) {
    drawing_.width = plane.width();
    drawing_.height = plane.height();
    for (const TreeValue& value : values_in_last(tree)) {
      if (value.times != 1) astray_.insert(value.place);
    }
    place_heads();
    if (shown) drawing_.rectangle(plane.row(*shown), Role::accent_tint, 4);
    for (std::size_t round = 0; round < tree.rounds.size(); ++round) {
      place_name(round);
      place_lines(round);
      place_threads(round);
    }
    for (std::size_t round = 0; round < tree.rounds.size(); ++round) place_nodes(round);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_heads() {
    const auto head = [&](const Area& at, const char* key) {
      drawing_.text({at.x, at.y + kTreeHead / 2 - 2},
                    canvas_.fitted(kTreeName, canvas_.strings(key), at.width), kTreeName, Role::t3);
    };
    head(plane_.places_head(), "tree.head-places");
    head(plane_.threads_head(), "tree.head-threads");
  }

  /// Its number, and how many warps took part.
  void place_name(std::size_t round) {
    const Area row = plane_.row(round);
    drawing_.text({row.x + 6, row.y + kTreeRow / 2 - 8}, round_name(tree_, round, canvas_.strings),
                  kTreeName, Role::t1);
    drawing_.text({row.x + 6, row.y + kTreeRow / 2 + 9},
                  counted(canvas_.strings, "tree.warps", figures_of(tree_, round).warps), kTreeNote,
                  Role::t3);
  }

  /// From where each place that was read had been written last.
  void place_lines(std::size_t round) {
    const auto& nodes = tree_.rounds[round].nodes;
    for (const TreeExhibit::Node& node : nodes) {
      for (const std::uint32_t from : node.from) {
        drawing_.line(plane_.place(row_of_[from], from), plane_.place(round, node.place),
                      {Paint(category(warp_of(node)), 0.7), 1});
      }
    }
    for (const TreeExhibit::Node& node : nodes) row_of_[node.place] = round;
  }

  void place_nodes(std::size_t round) {
    const double wide = std::clamp(plane_.place_width() - 2, 1.0, kTreeNodeHigh);
    for (const TreeExhibit::Node& node : tree_.rounds[round].nodes) {
      const Point at = plane_.place(round, node.place);
      const Area box{at.x - wide / 2, at.y - kTreeNodeHigh / 2, wide, kTreeNodeHigh};
      drawing_.rectangle(box, category(warp_of(node)), 2);
      if (node.from.empty() && astray_.contains(node.place)) {
        drawing_.rectangle(box.grown(1), Role::bad_tint, 2);
        drawing_.outline(box.grown(1), {Role::bad, 2}, 2);
      }
    }
  }

  /// Filled where the thread wrote, pale where only others of its warp did, an outline where its whole warp rested.
  void place_threads(std::size_t round) {
    std::set<std::uint32_t> writers, warps;
    for (const TreeExhibit::Node& node : tree_.rounds[round].nodes) {
      writers.insert(node.thread);
      warps.insert(static_cast<std::uint32_t>(warp_of(node)));
    }
    const std::uint32_t all = (tree_.threads + device::kLanes - 1) / device::kLanes;
    for (std::uint32_t warp = 0; warp < all; ++warp) {
      if (warps.contains(warp))
        drawing_.rectangle(plane_.warp(round, warp), {category(warp), 0.18}, 1);
      else
        drawing_.outline(plane_.warp(round, warp), {Role::line, 1, kFineDashes}, 1);
    }
    for (const std::uint32_t thread : writers) {
      Area at = plane_.thread(round, thread);
      if (at.width > 2) at.width -= 1;
      drawing_.rectangle(at, category(thread / device::kLanes));
    }
  }

  const TreeExhibit& tree_;
  const TreePlane& plane_;
  const Canvas& canvas_;
  std::vector<std::size_t> row_of_;  ///< by place: the round that wrote it last
  std::set<std::uint32_t> astray_;   ///< filled places whose value is not once in the last one
  Drawing drawing_;
};

}  // namespace

TreePlane::TreePlane(const TreeExhibit& tree, double width)
    : width_(width), rounds_(tree.rounds.size()), threads_(tree.threads) {
  const std::uint32_t warps = (tree.threads + device::kLanes - 1) / device::kLanes;
  warp_gap_ = warps > 8 ? 1 : kTreeWarpGap;
  const double threads_wide = kTreeThreadsShare * width - (warps - 1) * warp_gap_;
  thread_wide_ = std::min(kTreeWidestThread, threads_wide / std::max(1u, tree.threads));
  const double threads_all = thread_wide_ * tree.threads + (warps - 1) * warp_gap_;
  const double places_all = width - kTreeNames - kTreeParts - threads_all;
  place_wide_ = std::min(kTreeWidestPlace, places_all / std::max(1u, tree.places));
  places_head_ = {kTreeNames, 0, places_all, kTreeHead};
  threads_head_ = {kTreeNames + place_wide_ * tree.places + kTreeParts, 0, 0, kTreeHead};
  threads_head_.width = width - threads_head_.x;
}

double TreePlane::height() const { return kTreeHead + kTreeRow * static_cast<double>(rounds_); }

Area TreePlane::row(std::size_t round) const {
  return {0, kTreeHead + kTreeRow * static_cast<double>(round), width_, kTreeRow};
}

Area TreePlane::rows() const { return {0, kTreeHead, width_, height() - kTreeHead}; }

std::optional<std::size_t> TreePlane::round_at(const Point& point) const {
  if (!rows().holds(point)) return {};
  return std::min(rounds_ - 1, static_cast<std::size_t>((point.y - kTreeHead) / kTreeRow));
}

Point TreePlane::place(std::size_t round, std::uint32_t place) const {
  return {places_head_.x + place_wide_ * (place + 0.5), row(round).middle().y};
}

Area TreePlane::thread(std::size_t round, std::uint32_t thread) const {
  const std::uint32_t warp = thread / device::kLanes;
  const double x = threads_head_.x + thread_wide_ * thread + warp_gap_ * warp;
  return {x, row(round).middle().y - kTreeThreadHigh / 2, thread_wide_, kTreeThreadHigh};
}

Area TreePlane::warp(std::size_t round, std::uint32_t warp) const {
  const std::uint32_t first = warp * device::kLanes,
                      last = std::min(first + device::kLanes, threads_) - 1;
  Area at = thread(round, first);
  at.width = thread(round, last).right() - at.x;
  return at;
}

Drawing drawing_of(const TreeExhibit& tree, const TreePlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas) {
  return TreeDrawing(tree, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
