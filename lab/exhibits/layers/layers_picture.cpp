#include "lab/exhibits/layers/layers_picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/exhibits/tensor/heat_picture.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Layers = LayersExhibit;

constexpr double kLayersHead = 24, kLayerRow = 58, kLayerMap = 48, kLayerInset = 6,
                 kLayerMapsGap = 18, kLayerWordsGap = 16, kLayerWords = 112, kLayerBarHigh = 9,
                 kLayerBarPitch = 13, kLayerTimeWide = 62, kLayerArrow = 3, kLayerKey = 9,
                 kLayerKeyGap = 14;
constexpr std::uint64_t kMapCells = 16;
/// Colours are told apart so finely; neighbours of one colour are drawn as one.
constexpr double kMapShades = 24;
constexpr Letters kLayerName{Letters::Face::sans, 13}, kLayerNote{Letters::Face::sans, 11};

/// Values from the map's lowest to its highest as red, green and blue.
Rgb colour_of(const CoarseMap& map, const std::array<double, 3>& cell) {
  Rgb colour = 0;
  for (const double value : cell) {
    const double share = map.high > map.low ? (value - map.low) / (map.high - map.low) : 0.5;
    constexpr double kSteps = 15, kByte = 255;
    colour =
        colour << 8 | static_cast<Rgb>(std::lround(std::round(share * kSteps) / kSteps * kByte));
  }
  return colour;
}

Rgb shade_of(const CoarseMap& map, double value) {
  const double share = map.high > map.low ? (value - map.low) / (map.high - map.low) : 0.5;
  return heat_colour(TensorExhibit::View::heat, std::round(share * kMapShades) / kMapShades);
}

class LayersDrawing {
 public:
  LayersDrawing(const Layers& layers, const LayersPlane& plane,
                const std::optional<std::size_t>& shown, const Canvas& canvas)
      : layers_(layers), plane_(plane), canvas_(canvas) {
    drawing_.width = plane.width();
    drawing_.height = plane.height();
    for (const Layers::Layer& layer : layers.layers) {
      for (const Layers::Work work : kLayerWorks)
        longest_ = std::max(longest_, time_of(layer, work).seconds);
    }
    if (shown) drawing_.rectangle(plane.row(*shown), Role::accent_tint, 4);
    place_head();
    for (std::size_t layer = 0; layer < layers.layers.size(); ++layer) {
      place_map(layers.layers[layer].map, plane.map(layer));
      place_map(layers.layers[layer].gradient, plane.gradient(layer));
      place_arrows(layer);
      place_words(layer);
      place_bars(layer);
    }
  }
  Drawing take() { return std::move(drawing_); }

 private:
  /// Above the maps which way they go, and beside that which colour is which work.
  void place_head() {
    const double middle = kLayersHead / 2 - 2;
    double x = plane_.words(0).x;
    drawing_.text({kLayerInset, middle},
                  canvas_.fitted(kLayerNote, canvas_.strings("layers.head-maps"),
                                 x - kLayerWordsGap - kLayerInset),
                  kLayerNote, Role::t3);
    for (std::size_t work = 0; work < kLayerWorks.size(); ++work) {
      const std::string name =
          canvas_.strings("layers.key." + std::string(device::name_of(kLayerWorks[work])));
      drawing_.rectangle({x, middle - kLayerKey / 2, kLayerKey, kLayerKey}, category(work), 2);
      x += kLayerKey + 5;
      const std::string fits = canvas_.fitted(kLayerNote, name, plane_.width() - x);
      drawing_.text({x, middle}, fits, kLayerNote, Role::t3);
      x += canvas_.text_width(kLayerNote, fits) + kLayerKeyGap;
    }
  }

  void place_map(const TensorExhibit& map, const Area& at) {
    const CoarseMap cells = coarse(map, kMapCells);
    if (cells.cells.empty()) return;
    const bool colours = map.shape.size() > 2;
    const auto paint = [&](std::uint64_t row, std::uint64_t column) {
      const auto& cell = cells.cells[row * cells.columns + column];
      return colours ? colour_of(cells, cell) : shade_of(cells, cell[0]);
    };
    const double side = at.width / static_cast<double>(std::max(cells.rows, cells.columns)),
                 // A single row is a strip that can be seen.
        high = std::max(side, at.height / 4 / static_cast<double>(cells.rows)),
                 top = at.middle().y - high * static_cast<double>(cells.rows) / 2;
    for (std::uint64_t row = 0; row < cells.rows; ++row) {
      for (std::uint64_t column = 0; column < cells.columns;) {
        std::uint64_t past = column + 1;
        while (past < cells.columns && paint(row, past) == paint(row, column)) ++past;
        drawing_.rectangle(
            {at.x + static_cast<double>(column) * side, top + static_cast<double>(row) * high,
             static_cast<double>(past - column) * side, high},
            Paint::of_value(paint(row, column)));
        column = past;
      }
    }
  }

  /// From each map down to the next one, and from the next gradient up to this one.
  void place_arrows(std::size_t layer) {
    if (layer + 1 == layers_.layers.size()) return;
    const auto arrow = [&](const Area& from, const Area& to, double way) {
      const double x = from.middle().x, start = way > 0 ? from.bottom() + 1 : from.y - 1,
                   end = way > 0 ? to.y - 1 : to.bottom() + 1;
      drawing_.line({x, start}, {x, end}, {Role::t3});
      drawing_.polygon({{x - kLayerArrow, end - way * kLayerArrow * 1.5},
                        {x + kLayerArrow, end - way * kLayerArrow * 1.5},
                        {x, end}},
                       Role::t3);
    };
    arrow(plane_.map(layer), plane_.map(layer + 1), 1);
    const auto& next = layers_.layers[layer + 1].gradient;
    if (!layers_.layers[layer].gradient.data.empty() && !next.data.empty())
      arrow(plane_.gradient(layer + 1), plane_.gradient(layer), -1);
  }

  void place_words(std::size_t layer) {
    const Layers::Layer& one = layers_.layers[layer];
    const Area at = plane_.words(layer);
    const auto line = [&](double down, const std::string& says, const Letters& letters, Role ink) {
      drawing_.text({at.x, at.middle().y + down}, canvas_.fitted(letters, says, at.width), letters,
                    ink);
    };
    line(-16, one.name, kLayerName, Role::t1);
    line(0, shape_text(one), kLayerNote, Role::t2);
    line(15,
         one.parameters == 0 ? byte_count(one.bytes)
                             : counted(canvas_.strings, "layers.parameters", one.parameters),
         kLayerNote, Role::t3);
  }

  void place_bars(std::size_t layer) {
    for (std::size_t work = 0; work < kLayerWorks.size(); ++work) {
      const LayerTime time = time_of(layers_.layers[layer], kLayerWorks[work]);
      if (time.seconds == 0) continue;
      Area at = plane_.bar(layer, work);
      at.width = std::max(1.0, at.width * time.seconds / longest_);
      DrawnItem& bar = drawing_.rectangle(at, category(work), 2);
      bar.title = work_name(kLayerWorks[work], canvas_.strings);
      drawing_.text({at.right() + 5, at.middle().y}, duration(time.seconds), kLayerNote, Role::t2);
    }
  }

  const Layers& layers_;
  const LayersPlane& plane_;
  const Canvas& canvas_;
  double longest_ = 0;  ///< seconds of one layer's work
  Drawing drawing_;
};

}  // namespace

LayersPlane::LayersPlane(const LayersExhibit& layers, double width)
    : width_(width), layers_(layers.layers.size()) {}

double LayersPlane::height() const {
  return kLayersHead + kLayerRow * static_cast<double>(layers_);
}

Area LayersPlane::rows() const { return {0, kLayersHead, width_, height() - kLayersHead}; }

Area LayersPlane::row(std::size_t layer) const {
  return {0, kLayersHead + kLayerRow * static_cast<double>(layer), width_, kLayerRow};
}

std::optional<std::size_t> LayersPlane::row_at(const Point& point) const {
  if (!rows().holds(point)) return {};
  return std::min(layers_ - 1, static_cast<std::size_t>((point.y - kLayersHead) / kLayerRow));
}

Area LayersPlane::map(std::size_t layer) const {
  return {kLayerInset, row(layer).middle().y - kLayerMap / 2, kLayerMap, kLayerMap};
}

Area LayersPlane::gradient(std::size_t layer) const {
  Area at = map(layer);
  at.x += kLayerMap + kLayerMapsGap;
  return at;
}

Area LayersPlane::words(std::size_t layer) const {
  return {gradient(layer).right() + kLayerWordsGap, row(layer).y, kLayerWords, kLayerRow};
}

Area LayersPlane::bar(std::size_t layer, std::size_t work) const {
  const Area before = words(layer);
  const double x = before.right() + kLayerWordsGap;
  const double first = before.middle().y - kLayerBarPitch * kLayerWorks.size() / 2;
  return {x, first + kLayerBarPitch * static_cast<double>(work),
          std::max(1.0, width_ - x - kLayerTimeWide), kLayerBarHigh};
}

Drawing drawing_of(const LayersExhibit& layers, const LayersPlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas) {
  return LayersDrawing(layers, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
