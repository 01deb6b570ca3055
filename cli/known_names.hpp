// What a chapter's text has of a name that was typed: each gives an error with the names that there are.
#pragma once

#include <string>

#include "device/error.hpp"
#include "lab/document/document.hpp"
#include "lab/document/glossary.hpp"

namespace warpbook::cli {

/// One of the chapter's steps: "ask".
device::Expected<device::Done> known_step(const lab::Document& document, const std::string& name);
/// A term by its id: "warp".
device::Expected<device::Done> known_term(const lab::Glossary& glossary, const std::string& id);
/// "ID", one of the chapter's questions, or "ID=VALUE" with one of its choices.
device::Expected<device::Done> known_answer(const lab::Document& document,
                                            const std::string& answer);

}  // namespace warpbook::cli
