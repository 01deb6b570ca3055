#include "device/libraries/library.hpp"

#include <array>

namespace warpbook::device::libraries {
namespace {

constexpr std::array<std::string_view, 3> kNames{"cuDNN", "cuBLAS", "oneDNN"};

}  // namespace

std::string_view name_of(Kind kind) { return kNames.at(static_cast<std::size_t>(kind)); }

std::string_view command_for(Kind kind) {
  return kind == Kind::onednn ? "sudo apt-get install libdnnl-dev" : "./warpbook fetch libraries";
}

Expected<std::string> Library::describe_device() {
  return failure(ErrorCode::not_supported,
                 {{"what", "a description of a GPU"}, {"device", "this library"}});
}

Expected<std::unique_ptr<Library>> open(Kind kind, const std::string& file) {
  switch (kind) {
    case Kind::cudnn: return open_cudnn(file);
    case Kind::cublas: return open_cublas(file);
    case Kind::onednn: return open_onednn(file);
  }
  return failure(ErrorCode::library_missing,
                 {{"library", "?"}, {"detail", "no such kind"}, {"command", "./warpbook"}});
}

}  // namespace warpbook::device::libraries
