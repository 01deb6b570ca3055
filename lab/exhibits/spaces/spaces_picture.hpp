// The drawing of the memory spaces, in points: boxes in their places, pipes between them, how long each lets one wait, and a
// value's way over them. The window and SVG draw the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/spaces/spaces.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

struct SpacesPicture {
  static constexpr double kHeight = 460, kMostPipe = 10, kLeastPipe = 2, kStop = 11;
  struct Box {
    SpacesExhibit::Box box = SpacesExhibit::Box::registers;
    Area at;
    bool used = true;  ///< false: the launch is known to have left it alone
    double text = 0;   ///< where its words begin, within it
    double room = 0;   ///< for its words
  };
  /// What flowed one way between two boxes; `both` where only the sum is known.
  struct Pipe {
    SpacesExhibit::Space space = SpacesExhibit::Space::l1;  ///< whose figures it shows
    double x = 0, top = 0, bottom = 0;                      ///< `x`: its middle
    double width = 0;
    bool up = false, down = false;
    bool estimated = false;
    std::uint64_t bytes = 0;  ///< 0: only requests are known
    Point label;              ///< the middle of its left end; of its right end where `leftwards`
    bool leftwards = false;
    double room = 0;  ///< for the label
  };
  /// The name over the pipes of one space.
  struct Name {
    SpacesExhibit::Space space = SpacesExhibit::Space::l1;
    Point at;
    double room = 0;
  };
  struct Latency {
    SpacesExhibit::Space space = SpacesExhibit::Space::l1;
    Point at;          ///< the middle of its text's left end; the bar is below
    double width = 0;  ///< of the longest bar
    double share = 0;  ///< of the longest
  };
  double width = 0;
  Area multiprocessor, device;  ///< round what stands there
  double caption =
      0;  ///< where the words under a multiprocessor end: left of the way to its constant cache
  double caption_room = 0;  ///< right of the pipe to L2
  Area below;               ///< between a multiprocessor and L2: from here on a model tells
  std::vector<Box> boxes;   ///< in the order of SpacesExhibit::Box
  std::vector<Pipe> pipes;
  std::vector<Name> names;
  std::vector<Latency> latencies;        ///< beside the boxes; none where there is no room
  double column = 0;                     ///< where they begin
  std::vector<Point> stops;              ///< one a station
  std::vector<std::vector<Point>> legs;  ///< from each stop to the next, with the corners between
};

/// `width` in points; below 320 it is drawn as at 320. With another one beside it pipes are as wide for the same bytes in both.
SpacesPicture picture_of(const SpacesExhibit& spaces, double width,
                         const SpacesExhibit* beside = nullptr);

/// How far a value's way is shown. Left as it is, all of it is drawn through and no station is marked.
struct SpacesJourneyState {
  std::optional<std::size_t> station;  ///< where the value is
  std::optional<std::size_t> hovered;
  double come =
      1e9;  ///< legs that are drawn through; of the leg after them, that share; the others are dashed
};

/// The items {"estimated"} and {"published"} are the places for badges: on the right end of what a model says, and on the left
/// end of where the clocks are from. The items {"stop", station} can be pointed at.
Drawing drawing_of(const SpacesExhibit& spaces, const SpacesPicture& picture,
                   const SpacesJourneyState& state, const Canvas& canvas);

}  // namespace warpbook::lab
