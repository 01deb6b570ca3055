// What the renderers of the memory spaces share: names, phrases, and a drawing of boxes and of pipes between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits.hpp"

namespace warpbook::lab {

/// "registers", "local", "shared", "l1", "l2", "dram", "constant", "texture".
std::string_view name_of(SpacesExhibit::Space space);
/// The first row of that space; null where there is none.
const SpacesExhibit::Row* row_of(const SpacesExhibit& spaces, SpacesExhibit::Space space);
/// Whether any request or byte is known of it that is not 0.
bool did_something(const SpacesExhibit::Row& row);

/// "228 KiB a multiprocessor".
std::string size_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "28.6 clocks"; empty where there is no figure.
std::string latency_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "264 requests, 32.3 KiB asked, 264 passes"; what is not known is left out, "nothing" where all is known and 0.
/// Of L1 it says that this is global memory's part.
std::string traffic_text(const SpacesExhibit::Row& row, const Strings& strings);
/// The shortest that says how much: "40 KiB", "264 requests", "0", or "not known".
std::string amount_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "41 registers, 32 B of local memory": what a thread holds.
std::string thread_text(const SpacesExhibit& spaces, const Strings& strings);

/// The drawing, in units of its own. Local memory and the texture path have no box: they are ways to L1.
struct SpacesPicture {
  static constexpr double kWidth = 720, kHeight = 344, kBoxHeight = 44, kMostPipe = 36;
  struct Box {
    SpacesExhibit::Space space = SpacesExhibit::Space::registers;
    double x = 0, y = 0, width = 0;
  };
  struct Pipe {
    SpacesExhibit::Space space = SpacesExhibit::Space::l1;  ///< whose figures it shows
    double x = 0;                                           ///< its middle
    double top = 0, bottom = 0;
    double width = 0;  ///< 0: nothing flowed; else by the bytes, at least 2
    bool estimated = false;
    double room = 0;  ///< for words, right of the pipe
  };
  std::vector<Box> boxes;
  std::vector<Pipe> pipes;
};
SpacesPicture picture_of(const SpacesExhibit& spaces);

}  // namespace warpbook::lab
