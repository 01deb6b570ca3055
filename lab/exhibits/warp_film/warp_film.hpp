// What one warp issued, one instruction after another, and which of its lanes took part: a film of its program counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What one warp issued, step by step, from the launch's record of a watched warp.
struct WarpFilmExhibit {
  static constexpr std::string_view kKind = "warp_film";
  /// A line of the source, or an instruction of the PTX.
  struct Row {
    std::uint32_t line = 0;  ///< of the source or of the PTX, from 1
    std::string text;        ///< without the indentation that all rows have in common
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// Instructions of one row that the warp issued one after another for the same lanes.
  struct Step {
    std::uint32_t row = 0;     ///< index into rows
    std::uint32_t lanes = 0;   ///< a bit for each lane that took part
    std::uint32_t issues = 0;  ///< instructions
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::uint64_t block = 0;   ///< linear
  std::uint32_t warp = 0;    ///< in its block
  std::uint32_t lanes = 0;   ///< that have a thread: a bit each
  bool ptx = false;          ///< the rows are instructions of the PTX
  std::vector<Row> rows;     ///< by line; only those that the warp reached
  std::vector<Step> steps;   ///< in their order
  bool cut = false;          ///< the warp issued more than was recorded
  std::uint32_t chosen = 0;  ///< of steps: what is shown first
  friend bool operator==(const WarpFilmExhibit&, const WarpFilmExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<WarpFilmExhibit::Row> auto& v) {
  visit("line", v.line);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<WarpFilmExhibit::Step> auto& v) {
  visit("row", v.row);
  visit("lanes", v.lanes);
  visit("issues", v.issues);
}

template <class V>
void fields(V&& visit, Is<WarpFilmExhibit> auto& v) {
  visit("block", v.block);
  visit("warp", v.warp);
  visit("lanes", v.lanes);
  visit("ptx", v.ptx);
  visit("rows", v.rows);
  visit("steps", v.steps);
  visit("cut", v.cut);
  visit("chosen", v.chosen);
}
/// Every step has its row, and lanes that the warp has.
bool valid(const WarpFilmExhibit& v);

void extras(JsonExtras& json, const WarpFilmExhibit::Step& step);
void extras(JsonExtras& json, const WarpFilmExhibit& film);

std::string sentence_of(const WarpFilmExhibit& film, const Strings& strings);
void text_body(const WarpFilmExhibit& film, const Strings& strings, Page& page);
std::string html_body(const WarpFilmExhibit& film, const WarpFilmExhibit* beside,
                      const Strings& strings, const std::string& caption);
Table table_of(const WarpFilmExhibit& film, const Strings& strings);
void compare(const WarpFilmExhibit& a, const WarpFilmExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
