// What a sample of the instruction table must compute, from models that know nothing of the simulator: the reference
// interpreter's scalar functions for what the ISA defines to the bit, and more here for what it has besides.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests {

/// An operand as it is written: %a32, !%ap, -%b32.h1, 0x96.
struct Token {
  std::string name;      ///< "%a32"; empty for a constant
  std::string selector;  ///< "h1"
  bool negated = false;
  reference::Wide constant = 0;
};

/// One instruction of a sample.
struct Piece {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Token> destinations;  ///< one or two; a sink has no name
  std::vector<Token> sources;
};

/// The instructions of a sample whose operands are registers and constants alone; nothing where it has others.
std::optional<std::vector<Piece>> pieces_of(const std::string& sample);

/// The width that a register's name ends with; 1 for a predicate.
int width_of(const std::string& name);

/// What a function computes where the ISA only bounds its error, for one element of the result.
struct Band {
  int at = 0;  ///< its lowest bit
  reference::Format format{};
  double truth = 0, absolute = 0, relative = 0;
};

struct Wanted {
  reference::Wide bits = 0;
  std::vector<Band> bands;  ///< where there are any, they stand for the bits
  bool any_nan = false;     ///< a NaN of double precision, whose payload the ISA leaves open

  [[nodiscard]] bool meets(reference::Wide got, int width) const;
};

/// Registers by name, as they are before and after; predicates are 0 or 1.
using Registers = std::map<std::string, Wanted>;

/// Runs the pieces; false where some instruction has no model.
bool evaluate_pieces(const std::vector<Piece>& pieces, Registers& registers);

bool evaluate_video(const Piece& piece, const std::vector<reference::Wide>& in, reference::Wide& d);
bool evaluate_packed(const Piece& piece, const std::vector<reference::Wide>& in,
                     reference::Wide& d);
bool evaluate_approximate(const Piece& piece, const std::vector<reference::Wide>& in, Wanted& d);

}  // namespace warpbook::device::tests
