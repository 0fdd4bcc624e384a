"""How much a picture may cost: one set of numbers for a graphics card, one for a processor that stands in for it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quality:
    """samples       samples a pixel at edges (0: none)
    anisotropy    taps along a surface seen at a flat angle
    taps          reads of a shadow map for one soft edge: 1, 2, 4 or 8
    lights        point lights at once; each one costs every pixel
    relief        surfaces with their relief and sharp sunlight; without, flat and in the light that was baked
    ahead         the depth of the level is drawn first, so that nothing is lit that something else covers; where pixels
                  are cheaper than corners, what is near is merely drawn before what is far
    sky_pixels    the sky is worked out at every pixel; without, a picture of all of it is kept
    corner_light  figures and coarse copies of models are lit at their corners instead of at each pixel
    level_shadow  pixels a side of the shadow map of what stands still, mover_shadow of what moves
    shadow_pace   triangles of what stands still that are drawn into its shadow map for one picture
    texture_size  pixels a side of a painted surface
    shadow_range  inches from the viewer within which movers throw true shadows; beyond, a soft disc
    smooth_mips   blend between the sizes of a surface, at the price of a second read
    detail        pixels of the picture that the sides of a model's triangles may be long
    figures       as detail, for what has bones
    crowd         triangles of what has bones in a picture, about, above which all of it gets coarser
    hands         step of detail of what is in the viewer's hands, 0 for the finest
    prop_range    a prop is left out where it is farther away than this many times its radius
    adaptive      draw the place with fewer pixels while pictures take too long; the screen's text stays sharp
    """

    samples: int
    anisotropy: float
    taps: int
    lights: int
    relief: bool
    ahead: bool
    sky_pixels: bool
    corner_light: bool
    level_shadow: int
    mover_shadow: int
    shadow_pace: int
    texture_size: int
    shadow_range: float
    smooth_mips: bool
    detail: float
    figures: float
    crowd: int
    hands: int
    prop_range: float
    adaptive: bool


HIGH = Quality(
    samples=4,
    anisotropy=8.0,
    taps=8,
    lights=8,
    relief=True,
    ahead=True,
    sky_pixels=True,
    corner_light=False,
    level_shadow=4096,
    mover_shadow=2048,
    shadow_pace=1_000_000,
    texture_size=768,
    shadow_range=1100.0,
    smooth_mips=True,
    detail=2.5,
    figures=2.5,
    crowd=2_000_000,
    hands=0,
    prop_range=400.0,
    adaptive=False,
)
SOFTWARE = Quality(
    samples=0,
    anisotropy=1.0,
    taps=1,
    lights=3,
    relief=False,
    ahead=False,
    sky_pixels=False,
    corner_light=True,
    level_shadow=2048,
    mover_shadow=768,
    shadow_pace=2_500,
    texture_size=512,
    shadow_range=600.0,
    smooth_mips=False,
    detail=6.0,
    figures=9.0,
    crowd=12_000,
    hands=1,
    prop_range=100.0,
    adaptive=True,
)
STILL = replace(HIGH, detail=1.5, figures=1.5)
"""For single pictures, where time does not matter."""


def suits(renderer: str) -> Quality:
    """The quality for a driver by its name: Mesa's and Microsoft's software drivers get the cheaper one."""
    words = ("llvmpipe", "softpipe", "swiftshader", "swrast", "basic render")
    return SOFTWARE if any(word in renderer.lower() for word in words) else HIGH
