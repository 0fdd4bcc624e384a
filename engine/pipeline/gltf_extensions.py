"""What a glTF file may say that it cannot be read without: extensions that the engine reads, or can leave out.

A file that needs any other would come out as something else than its author sees, and is refused by the extension's
name.
"""

from __future__ import annotations

from engine.pipeline.faults import Faults
from engine.pipeline.gltf_data import Document

EMISSIVE_STRENGTH = "KHR_materials_emissive_strength"
TEXTURE_TRANSFORM = "KHR_texture_transform"

_GOOD = frozenset({
    EMISSIVE_STRENGTH,
    # How light plays on a surface: shape, colour and picture are as without them.
    "KHR_materials_anisotropy", "KHR_materials_clearcoat", "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion", "KHR_materials_ior", "KHR_materials_iridescence", "KHR_materials_sheen",
    "KHR_materials_specular", "KHR_materials_transmission", "KHR_materials_unlit", "KHR_materials_volume",
    # Materials to choose from besides those that are shown.
    "KHR_materials_variants",
    # What is no part of a model.
    "EXT_lights_ies", "EXT_lights_image_based", "EXT_mesh_features", "EXT_structural_metadata", "GODOT_single_root",
    "KHR_lights_punctual", "KHR_xmp", "KHR_xmp_json_ld",
})  # fmt: skip

_REMEDIES = {
    "EXT_mesh_gpu_instancing": "export the copies as nodes of their own",
    "EXT_meshopt_compression": "export without meshopt compression",
    "EXT_texture_avif": "export textures as PNG or JPEG",
    "EXT_texture_webp": "export textures as PNG or JPEG",
    "KHR_animation_pointer": "animate nothing but nodes",
    "KHR_draco_mesh_compression": "export without Draco compression",
    "KHR_materials_pbrSpecularGlossiness": "export with metallic and roughness",
    "KHR_mesh_quantization": "export without quantization",
    "KHR_meshopt_compression": "export without meshopt compression",
    "KHR_texture_basisu": "export textures as PNG or JPEG",
    TEXTURE_TRANSFORM: "move and scale the texture coordinates themselves",
}


def check_extensions(document: Document, faults: Faults) -> None:
    """Raises DiagnosticError with each extension that the file needs and the engine does not read."""
    required = document.get("extensionsRequired", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise ValueError("`extensionsRequired` is not a list of names")
    *others, last = [*dict.fromkeys(name for name in required if name not in _GOOD)] or [None]
    for name in others:
        faults.error("unsupported-source", *_words(str(name)))
    if last is not None:
        raise faults.fatal("unsupported-source", *_words(last))


def _words(name: str) -> tuple[str, str]:
    return f"needs the extension {name}", _REMEDIES.get(name, "export without it")
