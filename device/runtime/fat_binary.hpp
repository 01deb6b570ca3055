// Fat binaries: how nvcc puts the code for several architectures into a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device::runtime {

/// The PTX of one entry.
struct FatPtx {
  int architecture = 0;  ///< 90
  std::string text;
};

/// What a fat binary holds. Error: ptx_limit with the reason where it is cut off or compressed in a way that is not known.
struct FatBinary {
  std::vector<FatPtx> ptx;
  bool machine_code = false;  ///< it has code for an architecture, without or beside its PTX
};
/// By its first bytes.
bool is_fat_binary(std::string_view bytes);
Expected<FatBinary> read_fat_binary(std::string_view bytes);

/// The PTX that a driver would compile for a GPU of this compute capability: of the highest architecture that is no higher. Null
/// where there is none.
const FatPtx* best_for(const FatBinary& binary, int compute_capability);

}  // namespace warpbook::device::runtime
