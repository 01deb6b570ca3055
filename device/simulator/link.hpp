// Links relocatable PTX: the modules that nvcc makes of the files of one program with -rdc=true become one module.
#pragma once

#include <span>
#include <string>

#include "device/error.hpp"

namespace warpbook::device {

/// One file's PTX, and the name by which errors speak of it.
struct PtxModule {
  std::string name;
  std::string text;
};

/// The PTX of the whole program, in the order of the modules. Linked as nvlink does: each symbol that is visible outside of
/// its module has one definition; of several weak ones the first is kept. What a module has for itself is renamed where
/// two modules use one name. Files and lines of the sources stay right. The version and the target are the highest of all
/// modules'.
///
/// Errors: those of ptx::parse, with the module's name as the file; link_undefined, link_duplicate and link_mismatch, which
/// name the symbol and its modules. A function of the system (isa/externals.hpp) needs no definition.
Expected<std::string> link_ptx(std::span<const PtxModule> modules);

}  // namespace warpbook::device
