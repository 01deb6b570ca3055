// docs/cuda-libraries.md, as the headers of the drop-in libraries say it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpbook::tests {

/// A library of device/runtime/libraries/.
struct DropIn {
  std::string name;                  ///< "cublas"
  std::string title;                 ///< "cuBLAS"
  std::string file;                  ///< "libcublas.so.13"
  std::vector<std::string> headers;  ///< in include/, that declare its functions
  std::string limits;                ///< what its functions do not do, in sentences
};
const std::vector<DropIn>& drop_ins();

/// The functions that its headers declare, in their order.
std::vector<std::string> functions_in(const DropIn& library);

std::string libraries_page();

}  // namespace warpbook::tests
